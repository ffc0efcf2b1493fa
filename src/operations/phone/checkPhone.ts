import type { Context } from '../../context.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { maskPhone } from '../../domain/mask.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { runOnce } from '../../services/idempotency/run-once.ts'
import { consumeCodeRequest } from '../../services/phone/code-requests.ts'
import { requireReachablePhone, sendFailure, sendCode, type Sent } from '../../services/phone/send-code.ts'

const REFUSALS = { rate_limited: 'phone_check_limited', otp_tries_exhausted: 'otp_exhausted' } as const

export const checkPhone: Operation<'checkPhone'> = async (call, context) => {
  const phone = requireReachablePhone(call.body, context)
  return runOnce(call, context, {
    isAtomic: false,
    async run(attempt) {
      const sent = await sendCounted(phone, call, context)
      const failure = sendFailure(sent)
      const retryAfterSeconds = failure?.retryAfterSeconds ?? sent.nextSeconds
      if (sent.outcome !== 'refused') await attempt?.finish({ errorCode: failure?.code, retryAfterSeconds })
      if (failure) throw failure
      return call.reply(null, { retryAfterSeconds })
    },
    replay: ({ retryAfterSeconds = 0 }) => call.reply(null, { retryAfterSeconds }),
  })
}

async function sendCounted(
  phone: Phone,
  { body, client, language, rateLimiter }: Call<'checkPhone'>,
  context: Context,
): Promise<Sent> {
  const auditContext = toAuditContext(client, maskPhone(phone.e164))
  try {
    await consumeCodeRequest(body.challenge_response, { client, rateLimiter }, context)
    return await sendCode({ phone, language, client, purpose: 'verification', checked: auditContext }, context)
  } catch (error) {
    return context.store.audit.recordRefusal(error, REFUSALS, phone.e164, auditContext)
  }
}
