import type { Operation } from '../../contract/operation.ts'
import type { AccountState } from '../../domain/accounts/administration.ts'
import { changeOnce, toAdminAction } from '../../services/administration/changes.ts'
import { serializeAccountState } from '../../serializers/user.ts'

export const adminSuspendUser: Operation<'adminSuspendUser'> = async (call, context) => {
  const data = await changeOnce(call, context, {
    run: (completion) => context.store.administration.suspend(toAdminAction(call), completion),
    serialize: (account: AccountState) => ({ account: serializeAccountState(account) }),
  })

  return call.reply(data)
}
