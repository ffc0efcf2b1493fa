import type { Operation } from '../../contract/operation.ts'
import { toAdminAction, serializeAccountState } from '../../serializers/account-state.ts'

export const adminSuspendUser: Operation<'adminSuspendUser'> = async (call, { store }) => {
  const account = await store.administration.suspend(toAdminAction(call))

  return call.reply({ account: serializeAccountState(account) })
}
