import type { Operation } from '../contract.ts'
import { traceOf } from '../domain/trace.ts'

export const cancelAccountDeletion: Operation<'cancelAccountDeletion'> = async (
  { bearer, client, reply },
  { store },
) => {
  await store.deletions.cancel(bearer, traceOf(client))

  return reply(null)
}
