import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { Operation } from '../contract.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import { maskPhone } from '../domain/mask.ts'
import type { Phone } from '../domain/phone.ts'
import type { SmsOutcome } from '../domain/sms.ts'
import { traceOf, type Trace } from '../domain/trace.ts'
import { sendCode, servedPhone, takeSend } from './shared/send-code.ts'

/** A send that may have gone out is followed by the cooldown. */
const RETRY_AFTER_SECONDS = { refused: 10, unknown: LIMITS.otp.cooldown_seconds[0] }

const REFUSALS = { rate_limited: 'phone_check_limited', otp_tries_exhausted: 'otp_exhausted' } as const

export const checkPhone: Operation<'checkPhone'> = async ({ body, client, language, slate, reply }, context) => {
  const { store } = context
  const { requestId } = client
  const phone = servedPhone(body, context)
  const trace = traceOf(client, maskPhone(phone.e164))

  const sendCounted = async (): Promise<SmsOutcome> => {
    await takeSend(client, slate, context)
    await refuseTaken(phone, trace, context)
    return sendCode({ phone, language, reference: requestId }, context)
  }
  const outcome = await sendCounted().catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, phone.e164, trace),
  )
  if (outcome !== 'taken') throw new Failure('sms_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS[outcome] })

  return reply(null)
}

async function refuseTaken({ e164 }: Phone, trace: Trace, { store }: Context): Promise<void> {
  const isTaken = await store.accounts.hasPhone(e164)
  await store.audit.record({ event: isTaken ? 'phone_found_taken' : 'phone_checked', ...trace })
  if (isTaken) throw invalidData({ phone: ['phone_taken'] })
}
