import type { Context } from '../../context.ts'
import type { AnyCall, Body, Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import type { Claim } from '../../domain/idempotency.ts'
import { maskEmail, maskPhone } from '../../domain/text.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { runOnce } from '../../services/idempotency/run-once.ts'
import { notifyBySms } from '../../services/notifications/sms.ts'
import { requestMail } from '../../services/notifications/mail.ts'
import { prefersEmail, refuseSmsReset } from '../../services/password/reset-by-phone.ts'
import { consumeCodeRequest, requireSolution } from '../../services/phone/code-requests.ts'
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
      refuseSmsReset(context)
      const destination = requireDestination(body, context)
      await consumeCodeRequest(body.challenge_response, call, context)
      context.background.enqueue('a reset by SMS', () => sendToPhone(destination, call, context))
      await attempt?.finish({})
      return accept()
    },
    replay: accept,
  })
}

/** Of the masked address in an SMS, so that the text remains short */
const SHOWN_CHARACTERS = 20

async function requestLink(
  form: Extract<Body<'requestPasswordReset'>, { by: 'email' }>,
  request: AnyCall,
  context: Context,
  claim: Claim | undefined,
): Promise<void> {
  if (!context.mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })
  const { email, challenge_response: solution } = form
  const isRequired = await consumeCodeRequest(solution, request, context)
  const isSolved = isRequired || (solution !== undefined && (await requireSolution(solution, request, context)))
  await storeRequest({ email, isSolved }, request, context, claim)
}

type Requested = Readonly<{ email: string; isSolved?: boolean }>

/** Stores the request for an e-mail with a link, and its audit event. */
async function storeRequest(asked: Requested, request: AnyCall, context: Context, claim?: Claim): Promise<void> {
  const { client } = request
  const event = { event: 'password_reset_requested', ...toAuditContext(client, maskEmail(asked.email)) } as const
  await context.store.audit.record(event, requestMail({ kind: 'reset', ...asked }, request, context), claim)
}

/** Sends a code, or a link to the verified address of the account, with an SMS that says so. */
async function sendToPhone({ phone, channel }: Destination, request: AnyCall, context: Context): Promise<void> {
  const { store } = context
  const { client, language } = request
  await store.audit.record({ event: 'password_reset_requested', ...toAuditContext(client, maskPhone(phone.e164)) })
  const account = await store.recovery.byPhone(phone.e164, prefersEmail(context))
  const isSilent = account?.by !== 'phone'
  await sendCode({ phone, channel, purpose: 'reset', language, client, isSilent }, context)
  if (account?.by !== 'email') return
  const { id: accountId, email } = account
  await storeRequest({ email }, request, context)
  const values = { email: maskEmail(email).slice(0, SHOWN_CHARACTERS) }
  notifyBySms({ accountId, phone, values }, 'reset_link_text', request, context)
}
