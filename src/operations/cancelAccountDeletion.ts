import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { traceOf } from '../domain/trace.ts'

export const cancelAccountDeletion: Operation<'cancelAccountDeletion'> = async (
  { bearer, client, reply },
  { store },
) => {
  const isThere = await store.deletions.cancel(bearer, traceOf(client))
  if (!isThere) throw new Failure('token_revoked')

  return reply(null)
}
