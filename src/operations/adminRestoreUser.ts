import type { Operation } from '../contract.ts'
import { traceOf } from '../domain/trace.ts'
import { stateOf } from './shared/account-state.ts'

export const adminRestoreUser: Operation<'adminRestoreUser'> = async (call, { store }) => {
  const { path, body, bearer, client, reply } = call
  const account = await store.administration.restore({
    accountId: path.user_id,
    actor: bearer,
    reason: body.reason,
    trace: traceOf(client),
  })

  return reply({ account: stateOf(account) })
}
