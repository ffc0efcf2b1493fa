import type { Operation } from '../contract.ts'
import { traceOf } from '../domain/trace.ts'

export const deleteProfileFile: Operation<'deleteProfileFile'> = async (call, { store, files }) => {
  const { path, bearer, client, reply } = call
  const key = await store.files.remove(bearer, path.kind, traceOf(client, path.kind))
  if (key !== undefined) files.discard([key])

  return reply(null)
}
