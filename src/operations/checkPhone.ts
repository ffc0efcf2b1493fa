import type { Context } from '../context.ts'
import type { Operation } from '../contract.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import { maskPhone } from '../domain/mask.ts'
import type { Phone } from '../domain/phone.ts'
import { traceOf, type Trace } from '../domain/trace.ts'
import { sendCode, servedPhone, takeSend, type Sent } from './shared/send-code.ts'

/** A send that every provider refused does not count, and they may take the next one. */
const REFUSED_SECONDS = 10

const REFUSALS = { rate_limited: 'phone_check_limited', otp_tries_exhausted: 'otp_exhausted' } as const

export const checkPhone: Operation<'checkPhone'> = async ({ body, client, language, slate, reply }, context) => {
  const { store } = context
  const phone = servedPhone(body, context)
  const trace = traceOf(client, maskPhone(phone.e164))

  const sendCounted = async (): Promise<Sent> => {
    await takeSend(client, slate, context)
    await refuseTaken(phone, trace, context)
    return sendCode({ phone, language, client, purpose: 'verification' }, context)
  }
  const { outcome, nextSeconds } = await sendCounted().catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, phone.e164, trace),
  )
  if (outcome === 'refused') throw new Failure('sms_unavailable', { retryAfterSeconds: REFUSED_SECONDS })
  if (outcome === 'unknown') throw new Failure('sms_unavailable', { retryAfterSeconds: Math.max(1, nextSeconds) })

  return reply(null, { retryAfterSeconds: nextSeconds })
}

async function refuseTaken({ e164 }: Phone, trace: Trace, { store }: Context): Promise<void> {
  const isTaken = await store.accounts.hasVerifiedPhone(e164)
  await store.audit.record({ event: isTaken ? 'phone_found_taken' : 'phone_checked', ...trace })
  if (isTaken) throw invalidData({ phone: ['phone_taken'] })
}
