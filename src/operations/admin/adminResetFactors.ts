import type { Context } from '../../context.ts'
import type { Operation } from '../../contract/operation.ts'
import { changeOnce, toAdminAction } from '../../services/administration/changes.ts'
import { announceReset, composeAdministratorMails, composeResetMails } from '../../services/factors/reset-notices.ts'

type Pending = Awaited<ReturnType<Context['store']['administration']['scheduleFactorReset']>>

export const adminResetFactors: Operation<'adminResetFactors'> = async (call, context) => {
  const { store, resetTokens } = context
  const token = resetTokens.newToken()
  const cancel = { token, hash: resetTokens.hash(token) }
  const administrators = await store.users.administrators()
  const toMails: Parameters<typeof store.administration.scheduleFactorReset>[1]['toMails'] = (
    owner,
    resetAt,
    isAdmin,
  ) => [
    ...composeResetMails(owner, { ...cancel, resetAt }, call, context),
    ...(isAdmin ? composeAdministratorMails(owner, { administrators, resetAt }, call, context) : []),
  ]
  const data = await changeOnce(call, context, {
    run: async (completion) => {
      const notice = { cancelHash: cancel.hash, toMails }
      const pending = await store.administration.scheduleFactorReset(toAdminAction(call), notice, completion)
      if (!pending.isUnchanged) announceReset(pending.owner, pending.resetAt, call, context)
      return pending
    },
    serialize: ({ resetAt }: Pending) => ({ reset_at: resetAt.toISOString() }),
  })

  return call.reply(data)
}
