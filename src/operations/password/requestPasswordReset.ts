import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { normaliseEmail } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { maskEmail, maskPhone } from '../../domain/mask.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { buildResetLink } from '../../domain/passwords/reset-link.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { sendMail } from '../../services/notifications/mail.ts'
import { refuseSmsReset } from '../../services/password/reset-by-phone.ts'
import { sendCode, requireServedPhone, consumeSend } from '../../services/phone/send-code.ts'

type RequestInfo = Pick<Call<'requestPasswordReset'>, 'client' | 'language'>

/** Looks the account up after the response, so that neither its text nor its timing reveals whether the account exists. */
export const requestPasswordReset: Operation<'requestPasswordReset'> = async (
  { body, client, language, rateLimiter, reply },
  context,
) => {
  const { background, mail } = context
  const request = { client, language }
  if (body.by === 'phone') {
    refuseSmsReset(context)
    const phone = requireServedPhone(body, context)
    await consumeSend(client, rateLimiter)
    background.enqueue('a reset by SMS', () => sendToPhone(phone, request, context))
  } else {
    if (!mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })
    await consumeSend(client, rateLimiter)
    background.enqueue('a reset by e-mail', () => sendToEmail(normaliseEmail(body.email), request, context))
  }

  return reply(null)
}

async function sendToEmail(email: string, { client, language }: RequestInfo, context: Context): Promise<void> {
  const { store, limits, resetTokens, resetUrl } = context
  const { requestId } = client
  await store.audit.record({ event: 'password_reset_requested', ...toAuditContext(client, maskEmail(email)) })
  const account = await store.recovery.byEmail(email)
  if (!account) return

  await limits.consume({ policy: RATE_LIMITS['reset-mails'], key: email })
  const token = resetTokens.newToken()
  if (!(await store.recovery.addToken(account, resetTokens.hash(token)))) return
  const about = account.needsCode ? 'claim' : 'reset'
  const values = { minutes: LIMITS.reset.minutes, link: buildResetLink(resetUrl, token) }
  await sendMail({ to: account.email, about, language, values, reference: requestId }, context)
}

async function sendToPhone(phone: Phone, { client, language }: RequestInfo, context: Context): Promise<void> {
  const { store } = context
  await store.audit.record({ event: 'password_reset_requested', ...toAuditContext(client, maskPhone(phone.e164)) })
  const isSilent = !(await store.recovery.hasPhone(phone.e164))
  await sendCode({ phone, purpose: 'reset', language, client, isSilent }, context)
}
