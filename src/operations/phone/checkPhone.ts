import type { Context } from '../../context.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { maskPhone } from '../../domain/text.ts'
import type { Channel } from '../../domain/phones/sms.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { runOnce } from '../../services/idempotency/run-once.ts'
import { consumeCodeRequest, proofFinder } from '../../services/phone/code-requests.ts'
import { requireReachable, type Destination } from '../../services/phone/read-phone.ts'
import { sendFailure, sendCode, type Sent } from '../../services/phone/send-code.ts'

const REFUSALS = { rate_limited: 'phone_check_limited', otp_tries_exhausted: 'otp_exhausted' } as const

const MESSAGES = { sms: 'otp_sent', whatsapp: 'otp_sent_whatsapp', voice: 'otp_sent_voice' } as const

export const checkPhone: Operation<'checkPhone'> = async (call, context) => {
  const { idempotencySecrets: secrets } = context
  const destination = requireReachable(call.body, context)
  const reply = (retryAfterSeconds: number, channel: Channel): ReturnType<typeof call.reply> => {
    const headers = { 'Code-Channel': channel, 'Offered-Channels': destination.offered.join(', ') }
    return call.reply(null, { retryAfterSeconds, headers, message: MESSAGES[channel] })
  }
  return runOnce(call, context, {
    isAtomic: false,
    async run(attempt) {
      const sent = await sendCounted(destination, call, context)
      const { channel = destination.channel } = sent
      const failure = sendFailure(sent)
      const retryAfterSeconds = failure?.retryAfterSeconds ?? sent.nextSeconds
      if (attempt && sent.outcome !== 'refused')
        await attempt.finish({ errorCode: failure?.code, retryAfterSeconds, data: secrets.seal(channel) })
      if (failure) throw failure
      return reply(retryAfterSeconds, channel)
    },
    replay: ({ retryAfterSeconds = 0, data }) =>
      reply(retryAfterSeconds, ((data && secrets.open(data)) as Channel | undefined) ?? destination.channel),
  })
}

async function sendCounted(
  { phone, channel, offered }: Destination,
  call: Call<'checkPhone'>,
  context: Context,
): Promise<Sent> {
  const { body, client, language } = call
  const checked = toAuditContext(client, maskPhone(phone.e164))
  try {
    const { challenge_response: solution } = body
    const isSolved = await consumeCodeRequest(solution, call, context)
    const findProof = isSolved ? async () => 'challenge' as const : proofFinder(solution, call, context)
    const sending = { phone, channel, offered, language, client, checked, findProof, purpose: 'verification' } as const
    return await sendCode(sending, context)
  } catch (error) {
    return context.store.audit.recordRefusal(error, REFUSALS, phone.e164, checked)
  }
}
