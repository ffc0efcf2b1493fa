import type { Context } from '../context.ts'
import type { Operation } from '../contract.ts'
import { invalidData } from '../domain/failure.ts'
import { maskPhone } from '../domain/mask.ts'
import type { Phone } from '../domain/phone.ts'
import { traceOf, type Trace } from '../domain/trace.ts'
import { requireSent, sendCode, servedPhone, takeSend, type Sent } from './shared/send-code.ts'

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
  const sent = await sendCounted().catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, phone.e164, trace),
  )
  requireSent(sent)

  return reply(null, { retryAfterSeconds: sent.nextSeconds })
}

async function refuseTaken({ e164 }: Phone, trace: Trace, { store }: Context): Promise<void> {
  const isTaken = await store.accounts.hasVerifiedPhone(e164)
  await store.audit.record({ event: isTaken ? 'phone_found_taken' : 'phone_checked', ...trace })
  if (isTaken) throw invalidData({ phone: ['phone_taken'] })
}
