import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { Operation } from '../contract.ts'
import { maskEmail } from '../domain/mask.ts'
import { networkRequester } from '../domain/requester.ts'
import { resetLink } from '../domain/reset-link.ts'
import { traceOf } from '../domain/trace.ts'
import { notifyContactBySms } from './shared/announce-change.ts'
import { notify } from './shared/mail.ts'
import { refuseToken } from './shared/refuse-token.ts'
import type { Asking } from './shared/verify-email.ts'

type Cancellation = NonNullable<Awaited<ReturnType<Context['store']['emailCancellations']['use']>>>

export const cancelEmailChange: Operation<'cancelEmailChange'> = async (call, context) => {
  const { body, client, abandoned, language, slate, reply } = call
  const { store, passwords, emailTokens, resetTokens } = context
  const refuse = (): Promise<never> =>
    refuseToken('email_cancellation_failed', { token: ['email_token_wrong'] }, { client, slate }, context)
  const tokenHash = emailTokens.hashOf(body.token)
  if (!(await store.emailCancellations.has(tokenHash))) return refuse()

  const nobodyKnows = emailTokens.newToken()
  const passwordHash = await passwords.hash(nobodyKnows, networkRequester(client.network, abandoned))
  const resetToken = resetTokens.newToken()
  const made = { passwordHash, resetHash: resetTokens.hashOf(resetToken) }
  const done = (await store.emailCancellations.use(tokenHash, made, traceOf(client))) ?? (await refuse())

  const undone = done.outcome === 'undone'
  if (undone) announceUndo(done, resetToken, { client, language }, context)

  return reply({ undone })
}

/** The restored address sets a new password; the other address and the number hear of it. */
function announceUndo({ email, before }: Cancellation, resetToken: string, asking: Asking, context: Context): void {
  const { resetUrl } = context
  const { language } = asking
  const reference = asking.client.requestId
  const link = resetLink(resetUrl, resetToken)
  notify({ to: email, about: 'reset', values: { link, minutes: LIMITS.reset.minutes }, language, reference }, context)
  notify({ to: before.email, about: 'email', values: { email: maskEmail(email) }, language, reference }, context)
  notifyContactBySms(before, 'email_sms', asking, context)
}
