import type { Operation } from '../../contract/operation.ts'
import { networkRequester } from '../../domain/limits.ts'
import { toFactorRecords } from '../../services/factors/notify.ts'
import { notifyBySms } from '../../services/notifications/contact-change.ts'
import { refuseToken } from '../../services/password/verify-password.ts'

export const undoPasswordReset: Operation<'undoPasswordReset'> = async (call, context) => {
  const { body, client, abandoned, reply } = call
  const { store, passwords, resetTokens } = context
  const refuse = (): Promise<never> =>
    refuseToken('password_reset_undo_failed', { token: ['undo_token_wrong'] }, call, context)
  const tokenHash = resetTokens.hash(body.token)
  if (!(await store.resetUndos.has(tokenHash))) return refuse()

  const randomPassword = resetTokens.newToken()
  const passwordHash = await passwords.hash(randomPassword, networkRequester(client.network, abandoned))
  const records = toFactorRecords('factors_undone', call, context)
  const undone = (await store.resetUndos.use(tokenHash, passwordHash, records)) ?? (await refuse())
  const { id: accountId, phone: e164, phoneCode: callingCode } = undone
  if (e164 !== null) notifyBySms({ accountId, phone: { e164, callingCode } }, 'reset_undone_sms', call, context)

  return reply(null)
}
