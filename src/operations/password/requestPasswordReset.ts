import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Body, Call, Operation } from '../../contract/operation.ts'
import { normaliseEmail } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import type { Claim } from '../../domain/idempotency.ts'
import { maskEmail, maskPhone } from '../../domain/text.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { runOnce } from '../../services/idempotency/run-once.ts'
import { notifyBySms } from '../../services/notifications/contact-change.ts'
import { requestMail } from '../../services/notifications/mail.ts'
import { prefersEmail, refuseSmsReset } from '../../services/password/reset-by-phone.ts'
import { consumeCodeRequest } from '../../services/phone/code-requests.ts'
import { requireDestination, type Destination } from '../../services/phone/read-phone.ts'
import { sendCode } from '../../services/phone/send-code.ts'

/**
 * Looks the account up after the response, so that neither its text nor its timing reveals whether the account exists. A
 * reset by e-mail is stored before the response, in the same way for every address, so that it survives a restart.
 */
export const requestPasswordReset: Operation<'requestPasswordReset'> = (call, context) => {
  const { body } = call
  const accept = (): ReturnType<typeof call.reply> => call.reply(null)
  if (body.by === 'email') {
    return runOnce(call, context, {
      isAtomic: true,
      run: (attempt) => requestLink(body, call, context, attempt?.claim).then(accept),
      replay: accept,
    })
  }
  return runOnce(call, context, {
    isAtomic: false,
    async run(attempt) {
      await requestCode(body, call, context)
      await attempt?.finish({})
      return accept()
    },
    replay: accept,
  })
}

/** Of the masked address in an SMS, so that the text remains short */
const SHOWN_CHARACTERS = 20

type Form<By> = Extract<Body<'requestPasswordReset'>, { by: By }>
type ResetCall = Pick<Call<'requestPasswordReset'>, 'client' | 'language' | 'rateLimiter'>

async function requestCode(form: Form<'phone'>, request: ResetCall, context: Context): Promise<void> {
  refuseSmsReset(context)
  const destination = requireDestination(form, context)
  await consumeCodeRequest(form.challenge_response, request, context)
  context.background.enqueue('a reset by SMS', () => sendToPhone(destination, request, context))
}

async function requestLink(
  form: Form<'email'>,
  { client, language, rateLimiter }: ResetCall,
  context: Context,
  claim: Claim | undefined,
): Promise<void> {
  if (!context.mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })
  await consumeCodeRequest(form.challenge_response, { client, rateLimiter }, context)
  const email = normaliseEmail(form.email)
  const mails = requestMail({ kind: 'reset', email, minutes: LIMITS.reset.minutes, client, language }, context)
  const event = { event: 'password_reset_requested', ...toAuditContext(client, maskEmail(email)) } as const
  await context.store.audit.record(event, mails, claim)
}

async function sendToPhone(
  { phone, channel }: Destination,
  { client, language }: ResetCall,
  context: Context,
): Promise<void> {
  const { store } = context
  await store.audit.record({ event: 'password_reset_requested', ...toAuditContext(client, maskPhone(phone.e164)) })
  const account = await store.recovery.byPhone(phone.e164, prefersEmail(context))
  const isSilent = account?.by !== 'phone'
  await sendCode({ phone, channel, purpose: 'reset', language, client, isSilent }, context)
  if (account?.by === 'email') await sendLink(account, phone, { client, language }, context)
}

/** Sends a link to the verified address of an account, and an SMS that says so. */
async function sendLink(
  { id: accountId, email }: { id: number; email: string },
  phone: Phone,
  { client, language }: Pick<ResetCall, 'client' | 'language'>,
  context: Context,
): Promise<void> {
  const mails = requestMail({ kind: 'reset', email, minutes: LIMITS.reset.minutes, client, language }, context)
  const event = { event: 'password_reset_requested', ...toAuditContext(client, maskEmail(email)) } as const
  await context.store.audit.record(event, mails)
  const values = { email: maskEmail(email).slice(0, SHOWN_CHARACTERS) }
  notifyBySms({ accountId, phone, values }, 'reset_link_text', { client, language }, context)
}
