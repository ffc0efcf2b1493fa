import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Body, Call, Operation } from '../../contract/operation.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import { maskEmail } from '../../domain/text.ts'
import { asciiDigits } from '../../domain/phones/phone.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { announceChange } from '../../services/notifications/contact-change.ts'
import { composeMails, type RequestInfo } from '../../services/notifications/mail.ts'
import { refuseToken } from '../../services/password/verify-password.ts'

type ByToken = Context['store']['emailConfirmations']['byToken']
type Change = NonNullable<Awaited<ReturnType<ByToken>>>
type Tokens = Parameters<ByToken>[2] & { undo: string; consent: string }
type Stored = Readonly<{ made: Tokens; records: Parameters<ByToken>[3] }>

const REFUSALS = { email_tries_exhausted: 'email_verification_limited' } as const
const DAY_SECONDS = 86_400

export const confirmEmail: Operation<'confirmEmail'> = async (call, context) => {
  const { body, client, reply } = call
  const { emailTokens, undoCodes } = context
  const [undo, consent, code] = [emailTokens.newToken(), emailTokens.newToken(), undoCodes.newCode()]
  const codeHash = (phone: string): Uint8Array<ArrayBuffer> => undoCodes.hash(phone, code)
  const made = { undo, undoHash: emailTokens.hash(undo), consent, consentHash: emailTokens.hash(consent), codeHash }
  const toMails = (done: Change): NewMail[] => composeNotice(done, made, call, context)
  const stored = { made, records: { auditContext: toAuditContext(client), toMails } }
  const { outcome, before, hasCode } =
    body.by === 'token' ? await byToken(body, call, stored, context) : await byCode(body, call, stored, context)

  if (outcome === 'changed') announceChange(before, 'email', hasCode ? code : undefined, call, context)

  return reply(null)
}

/** Composes the notice to the old address, with the tokens that undo the change or consent to it if the address recovers. */
function composeNotice(
  { outcome, email, before, canUndo }: Change,
  { undo, undoHash: hash, consent }: Tokens,
  request: RequestInfo,
  context: Context,
): NewMail[] {
  if (outcome !== 'changed') return []
  const { emailUrl } = context
  const { accountId, email: to } = before
  const old = { accountId, to }
  if (!canUndo) return composeMails([{ about: 'email', values: { email: maskEmail(email) }, ...old }], request, context)
  const days = LIMITS.email.undo_days
  const values = {
    email: maskEmail(email),
    undo: buildEmailLink(emailUrl, undo, 'cancel'),
    consent: buildEmailLink(emailUrl, consent, 'confirm'),
    days,
    hours: LIMITS.recovery.hold_hours,
  }
  const token = { hash, seconds: days * DAY_SECONDS }
  return composeMails([{ about: 'email_changed', values, token, ...old }], request, context)
}

async function byToken(
  { token }: Extract<Body<'confirmEmail'>, { by: 'token' }>,
  call: Call<'confirmEmail'>,
  { made, records }: Stored,
  context: Context,
): Promise<Change> {
  const { store, emailTokens } = context
  const done = await store.emailConfirmations.byToken(emailTokens.hash(token), call.bearer, made, records)
  return done ?? refuseToken('email_verification_failed', { token: ['email_token_wrong'] }, call, context)
}

async function byCode(
  { code }: Extract<Body<'confirmEmail'>, { by: 'code' }>,
  { bearer }: Call<'confirmEmail'>,
  { made, records }: Stored,
  { store, emailCodes }: Context,
): Promise<Change> {
  if (!bearer) throw new Failure('token_missing')
  const { accountId } = bearer
  const { auditContext } = records
  const about = { ...auditContext, accountId }
  const counted = await store.emailVerifications.countTry(bearer)
  if (counted && 'retryAfterSeconds' in counted) {
    const refusal = new Failure('email_tries_exhausted', counted)
    return store.audit.recordRefusal(refusal, REFUSALS, String(accountId), about)
  }
  const isRight = counted && emailCodes.isRight({ accountId, ...counted }, asciiDigits(code))
  const done = isRight && (await store.emailConfirmations.byCode(bearer, counted, made, records))
  if (done) return done
  await store.audit.record({ event: 'email_verification_failed', ...about })
  throw invalidData({ code: ['otp_wrong'] })
}
