import type { Context } from '../../context.ts'
import type { Operation } from '../../contract/operation.ts'
import { invalidData } from '../../domain/failure.ts'
import { maskPhone } from '../../domain/mask.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { toAuditContext, type AuditContext } from '../../domain/audit/audit-context.ts'
import { requireSent, sendCode, requireServedPhone, consumeSend, type Sent } from '../../services/phone/send-code.ts'

const REFUSALS = { rate_limited: 'phone_check_limited', otp_tries_exhausted: 'otp_exhausted' } as const

export const checkPhone: Operation<'checkPhone'> = async ({ body, client, language, rateLimiter, reply }, context) => {
  const { store } = context
  const phone = requireServedPhone(body, context)
  const auditContext = toAuditContext(client, maskPhone(phone.e164))

  const sendCounted = async (): Promise<Sent> => {
    await consumeSend(client, rateLimiter)
    await refuseTaken(phone, auditContext, context)
    return sendCode({ phone, language, client, purpose: 'verification' }, context)
  }
  const sent = await sendCounted().catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, phone.e164, auditContext),
  )
  requireSent(sent)

  return reply(null, { retryAfterSeconds: sent.nextSeconds })
}

async function refuseTaken({ e164 }: Phone, auditContext: AuditContext, { store }: Context): Promise<void> {
  const isTaken = await store.accounts.hasVerifiedPhone(e164)
  await store.audit.record({ event: isTaken ? 'phone_found_taken' : 'phone_checked', ...auditContext })
  if (isTaken) throw invalidData({ phone: ['phone_taken'] })
}
