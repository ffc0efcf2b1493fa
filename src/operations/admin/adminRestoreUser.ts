import type { Operation } from '../../contract/operation.ts'
import { toAdminAction, serializeAccountState } from '../../serializers/account-state.ts'

export const adminRestoreUser: Operation<'adminRestoreUser'> = async (call, { store }) => {
  const account = await store.administration.restore(toAdminAction(call))

  return call.reply({ account: serializeAccountState(account) })
}
