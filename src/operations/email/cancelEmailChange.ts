import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import { maskEmail } from '../../domain/text.ts'
import { networkRequester } from '../../domain/limits.ts'
import { buildResetLink } from '../../domain/passwords/password.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { notifyContactBySms } from '../../services/notifications/contact-change.ts'
import { toFactorRecords } from '../../services/factors/notify.ts'
import { composeMails, type RequestInfo } from '../../services/notifications/mail.ts'
import { refuseToken } from '../../services/password/verify-password.ts'

type Cancellation = NonNullable<Awaited<ReturnType<Context['store']['emailCancellations']['use']>>>

export const cancelEmailChange: Operation<'cancelEmailChange'> = async (call, context) => {
  const { body, bearer, reply } = call
  const token = body?.token
  if (token !== undefined) return reply({ undone: await useToken(token, call, context) })
  if (!bearer) throw new Failure('token_missing')
  await context.store.emailCancellations.cancelOwn(bearer, toAuditContext(call.client))

  return reply({ undone: false })
}

/** Cancels or undoes a change with the token that was sent to the previous address. Returns whether it was undone. */
async function useToken(token: string, call: Call<'cancelEmailChange'>, context: Context): Promise<boolean> {
  const { client, abandoned } = call
  const { store, passwords, emailTokens, resetTokens } = context
  const refuse = (): Promise<never> =>
    refuseToken('email_cancellation_failed', { token: ['email_token_wrong'] }, call, context)
  const tokenHash = emailTokens.hash(token)
  if (!(await store.emailCancellations.has(tokenHash))) return refuse()

  const randomPassword = emailTokens.newToken()
  const passwordHash = await passwords.hash(randomPassword, networkRequester(client.network, abandoned))
  const resetToken = resetTokens.newToken()
  const reset = { token: resetToken, hash: resetTokens.hash(resetToken) }
  const made = { passwordHash, resetHash: reset.hash }
  const records = {
    auditContext: toAuditContext(client),
    toMails: (done: Cancellation) => composeUndoMails(done, reset, call, context),
    removal: toFactorRecords('factors_undone', call, context),
  }
  const { outcome, before } = (await store.emailCancellations.use(tokenHash, made, records)) ?? (await refuse())

  if (outcome !== 'undone') return false
  notifyContactBySms(before, 'email_sms', call, context)
  return true
}

/** Composes a link for the restored address that sets a new password, and a notice to the other address. */
function composeUndoMails(
  { outcome, email, before }: Cancellation,
  { token, hash }: { token: string; hash: Uint8Array },
  request: RequestInfo,
  context: Context,
): NewMail[] {
  if (outcome !== 'undone') return []
  const { accountId } = before
  const { minutes } = LIMITS.reset
  const values = { link: buildResetLink(context.resetUrl, token), minutes }
  return composeMails(
    [
      { accountId, to: email, about: 'email_undone', values, token: { hash, seconds: minutes * 60 } },
      { accountId, to: before.email, about: 'email', values: { email: maskEmail(email) } },
    ],
    request,
    context,
  )
}
