import type { Operation } from '../../contract/operation.ts'
import { maskPhone } from '../../domain/mask.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { consumeCodeRequest } from '../../services/phone/code-requests.ts'
import { requireReachablePhone, requireSent, sendCode, type Sent } from '../../services/phone/send-code.ts'

const REFUSALS = { rate_limited: 'phone_check_limited', otp_tries_exhausted: 'otp_exhausted' } as const

export const checkPhone: Operation<'checkPhone'> = async ({ body, client, language, rateLimiter, reply }, context) => {
  const { store } = context
  const phone = requireReachablePhone(body, context)
  const auditContext = toAuditContext(client, maskPhone(phone.e164))

  const sendCounted = async (): Promise<Sent> => {
    await consumeCodeRequest(body.challenge_response, { client, rateLimiter }, context)
    return sendCode({ phone, language, client, purpose: 'verification', checked: auditContext }, context)
  }
  const sent = await sendCounted().catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, phone.e164, auditContext),
  )
  requireSent(sent)

  return reply(null, { retryAfterSeconds: sent.nextSeconds })
}
