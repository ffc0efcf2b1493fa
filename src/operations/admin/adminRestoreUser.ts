import type { Operation } from '../../contract/operation.ts'
import type { AccountState } from '../../domain/accounts/administration.ts'
import type { NewMail } from '../../domain/mail.ts'
import { requestMail } from '../../services/notifications/mail.ts'
import { changeOnce, toAdminAction } from '../../services/administration/changes.ts'
import { serializeAccountState } from '../../serializers/user.ts'

export const adminRestoreUser: Operation<'adminRestoreUser'> = async (call, context) => {
  const toLinkMails = (email: string): NewMail[] => requestMail({ kind: 'reset', email }, call, context)
  const data = await changeOnce(call, context, {
    run: (completion) => context.store.administration.restore(toAdminAction(call), toLinkMails, completion),
    serialize: (account: AccountState) => ({ account: serializeAccountState(account) }),
  })

  return call.reply(data)
}
