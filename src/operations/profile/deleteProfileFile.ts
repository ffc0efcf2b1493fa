import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const deleteProfileFile: Operation<'deleteProfileFile'> = async (call, { store, files }) => {
  const { path, bearer, client, reply } = call
  const key = await store.files.remove(bearer, path.kind, toAuditContext(client, path.kind))
  if (key !== undefined) files.discard([key])

  return reply(null)
}
