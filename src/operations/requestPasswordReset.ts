import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { Call, Operation } from '../contract.ts'
import { normaliseEmail } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import type { Policy } from '../domain/limit.ts'
import { maskEmail, maskPhone } from '../domain/mask.ts'
import type { Phone } from '../domain/phone.ts'
import { resetLink } from '../domain/reset-link.ts'
import { traceOf } from '../domain/trace.ts'
import { sendMail } from './shared/mail.ts'
import { refuseSmsReset } from './shared/reset-by-phone.ts'
import { sendCode, servedPhone, takeSend } from './shared/send-code.ts'

const MAILS: Policy = { name: 'reset-mails', points: LIMITS.reset.mails_per_hour, seconds: 3600 }

type Asking = Pick<Call<'requestPasswordReset'>, 'client' | 'language'>

/** Whether there is such an account is looked for after the answer, so that neither its words nor its time can tell. */
export const requestPasswordReset: Operation<'requestPasswordReset'> = async (
  { body, client, language, slate, reply },
  context,
) => {
  const { background, mail } = context
  const asking = { client, language }
  if (body.by === 'phone') {
    refuseSmsReset(context)
    const phone = servedPhone(body, context)
    await takeSend(client, slate, context)
    background.begin('a reset by SMS', () => sendToPhone(phone, asking, context))
  } else {
    if (!mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })
    await takeSend(client, slate, context)
    background.begin('a reset by e-mail', () => sendToEmail(normaliseEmail(body.email), asking, context))
  }

  return reply(null)
}

async function sendToEmail(email: string, { client, language }: Asking, context: Context): Promise<void> {
  const { store, limits, resetTokens, resetUrl } = context
  const { requestId } = client
  await store.audit.record({ event: 'password_reset_requested', ...traceOf(client, maskEmail(email)) })
  const account = await store.recovery.byEmail(email)
  if (!account) return

  await limits.take({ policy: MAILS, key: email }, [])
  const token = resetTokens.newToken()
  if (!(await store.recovery.addToken(account, resetTokens.hashOf(token)))) return
  const about = account.needsCode ? 'claim' : 'reset'
  const values = { minutes: LIMITS.reset.minutes, link: resetLink(resetUrl, token) }
  await sendMail({ to: account.email, about, language, values, reference: requestId }, context)
}

async function sendToPhone(phone: Phone, { client, language }: Asking, context: Context): Promise<void> {
  const { store } = context
  await store.audit.record({ event: 'password_reset_requested', ...traceOf(client, maskPhone(phone.e164)) })
  const isSilent = !(await store.recovery.hasPhone(phone.e164))
  await sendCode({ phone, purpose: 'reset', language, client, isSilent }, context)
}
