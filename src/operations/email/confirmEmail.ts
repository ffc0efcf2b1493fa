import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Body, Call, Operation } from '../../contract/operation.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import { maskEmail } from '../../domain/text.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import type { RequestInfo } from '../../services/notifications/mail.ts'
import { announceChange, composeUndoable, newUndo, type NewProofs } from '../../services/notifications/undo-notice.ts'
import { refuseToken } from '../../services/refuse-token.ts'

type ByToken = Context['store']['emailConfirmations']['byToken']
type Change = NonNullable<Awaited<ReturnType<ByToken>>>
type Tokens = Parameters<ByToken>[2] & { undo: NewProofs; consent: string }
type Stored = Readonly<{ made: Tokens; records: Parameters<ByToken>[3] }>

const REFUSALS = { email_tries_exhausted: 'email_verification_limited' } as const

export const confirmEmail: Operation<'confirmEmail'> = async (call, context) => {
  const { body, client, reply } = call
  const consent = context.emailTokens.newToken()
  const made = { undo: newUndo(context), consent, consentHash: context.emailTokens.hash(consent) }
  const toMails = (done: Change): NewMail[] => composeNotice(done, made, call, context)
  const stored = { made, records: { auditContext: toAuditContext(client), toMails } }
  const done =
    body.by === 'token' ? await byToken(body, call, stored, context) : await byCode(body, call, stored, context)

  if (done.outcome === 'changed') announceChange(done.before, { what: 'email', ...done, ...made }, call, context)

  return reply(null)
}

/** Composes the notice to the old address, with the tokens that undo the change or consent to it if the address recovers. */
function composeNotice(
  { outcome, email, before, opened }: Change,
  { undo, consent }: Tokens,
  request: RequestInfo,
  context: Context,
): NewMail[] {
  if (outcome !== 'changed') return []
  const { accountId, email: to } = before
  const notice = { accountId, to, about: 'email', values: { email: maskEmail(email) } } as const
  const values = { consent: buildEmailLink(context.emailUrl, consent, 'confirm'), hours: LIMITS.recovery.hold_hours }
  return composeUndoable([notice], opened, undo, request, context, values)
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
  const isRight = counted && emailCodes.isRight({ accountId, ...counted }, code)
  const done = isRight && (await store.emailConfirmations.byCode(bearer, counted, made, records))
  if (done) return done
  await store.audit.record({ event: 'email_verification_failed', ...about })
  throw invalidData({ code: ['otp_wrong'] })
}
