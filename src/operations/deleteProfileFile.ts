import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { traceOf } from '../domain/trace.ts'

export const deleteProfileFile: Operation<'deleteProfileFile'> = async (
  { path: { kind }, bearer, client, reply },
  { store, files },
) => {
  const account = await store.bearers.account(bearer)
  if (!account) throw new Failure('token_revoked')

  const key = await store.files.remove(account.id, kind)
  if (key !== undefined) {
    await files.discard([key])
    await store.audit.record({ event: 'file_deleted', accountId: account.id, ...traceOf(client, kind) })
  }

  return reply(null)
}
