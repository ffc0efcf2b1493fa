import type { Operation } from '../../contract/operation.ts'
import { maskPhone } from '../../domain/mask.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { requireSent, sendCode, requireDestination, consumeSend, type Sent } from '../../services/phone/send-code.ts'

const REFUSALS = { rate_limited: 'phone_check_limited', otp_tries_exhausted: 'otp_exhausted' } as const

const MESSAGES = { sms: 'otp_sent', whatsapp: 'otp_sent_whatsapp', voice: 'otp_sent_voice' } as const

export const checkPhone: Operation<'checkPhone'> = async ({ body, client, language, rateLimiter, reply }, context) => {
  const { store } = context
  const { phone, channel, offered } = requireDestination(body, context)
  const auditContext = toAuditContext(client, maskPhone(phone.e164))

  const sendCounted = async (): Promise<Sent> => {
    await consumeSend(client, rateLimiter)
    return sendCode({ phone, channel, language, client, purpose: 'verification', checked: auditContext }, context)
  }
  const sent = await sendCounted().catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, phone.e164, auditContext),
  )
  requireSent(sent)

  const { nextSeconds: retryAfterSeconds, channel: used = channel } = sent
  const headers = { 'Code-Channel': used, 'Offered-Channels': offered.join(', ') }
  return reply(null, { retryAfterSeconds, headers, message: MESSAGES[used] })
}
