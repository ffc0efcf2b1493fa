import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Operation } from '../../contract/operation.ts'
import { maskEmail } from '../../domain/mask.ts'
import { networkRequester } from '../../domain/limits/requester.ts'
import { buildResetLink } from '../../domain/passwords/reset-link.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { notifyContactBySms } from '../../services/notifications/contact-change.ts'
import { notify } from '../../services/notifications/mail.ts'
import { refuseToken } from '../../services/password/refuse-token.ts'
import type { RequestInfo } from '../../services/notifications/verify-email.ts'

type Cancellation = NonNullable<Awaited<ReturnType<Context['store']['emailCancellations']['use']>>>

export const cancelEmailChange: Operation<'cancelEmailChange'> = async (call, context) => {
  const { body, client, abandoned, language, rateLimiter, reply } = call
  const { store, passwords, emailTokens, resetTokens } = context
  const refuse = (): Promise<never> =>
    refuseToken('email_cancellation_failed', { token: ['email_token_wrong'] }, { client, rateLimiter }, context)
  const tokenHash = emailTokens.hash(body.token)
  if (!(await store.emailCancellations.has(tokenHash))) return refuse()

  const randomPassword = emailTokens.newToken()
  const passwordHash = await passwords.hash(randomPassword, networkRequester(client.network, abandoned))
  const resetToken = resetTokens.newToken()
  const made = { passwordHash, resetHash: resetTokens.hash(resetToken) }
  const done = (await store.emailCancellations.use(tokenHash, made, toAuditContext(client))) ?? (await refuse())

  const undone = done.outcome === 'undone'
  if (undone) announceUndo(done, resetToken, { client, language }, context)

  return reply({ undone })
}

/** Sends the restored address a link that sets a new password, and notifies the other address and the number. */
function announceUndo(
  { email, before }: Cancellation,
  resetToken: string,
  request: RequestInfo,
  context: Context,
): void {
  const { resetUrl } = context
  const { language } = request
  const reference = request.client.requestId
  const link = buildResetLink(resetUrl, resetToken)
  notify({ to: email, about: 'reset', values: { link, minutes: LIMITS.reset.minutes }, language, reference }, context)
  notify({ to: before.email, about: 'email', values: { email: maskEmail(email) }, language, reference }, context)
  notifyContactBySms(before, 'email_sms', request, context)
}
