import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Body, Call, Operation } from '../../contract/operation.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { buildEmailLink } from '../../domain/emails/email-link.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { maskEmail } from '../../domain/mask.ts'
import { asciiDigits } from '../../domain/phones/phone.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { notifyContactBySms } from '../../services/notifications/contact-change.ts'
import { notify } from '../../services/notifications/mail.ts'
import { refuseToken } from '../../services/password/refuse-token.ts'

type Confirmation = Awaited<ReturnType<Context['store']['emailConfirmations']['byToken']>>
type RequestInfo = Pick<Call<'confirmEmail'>, 'client' | 'rateLimiter'> & {
  made: { undoHash: Hash; consentHash: Hash }
}
type Hash = ReturnType<Context['emailTokens']['hash']>

const REFUSALS = { email_tries_exhausted: 'email_verification_limited' } as const

export const confirmEmail: Operation<'confirmEmail'> = async (call, context) => {
  const { body, bearer, client, language, rateLimiter, reply } = call
  const { emailTokens, emailUrl } = context
  const [undo, consent] = [emailTokens.newToken(), emailTokens.newToken()]
  const made = { undoHash: emailTokens.hash(undo), consentHash: emailTokens.hash(consent) }
  const request = { client, rateLimiter, made }
  const done =
    body.by === 'token' ? await byToken(body, bearer, request, context) : await byCode(body, bearer, request, context)

  if (done.outcome === 'changed') {
    const values = {
      email: maskEmail(done.email),
      undo: buildEmailLink(emailUrl, undo, 'cancel'),
      consent: buildEmailLink(emailUrl, consent, 'confirm'),
      days: LIMITS.email.undo_days,
      hours: LIMITS.recovery.hold_hours,
    }
    const { before } = done
    notify({ to: before.email, about: 'email_changed', values, language, reference: client.requestId }, context)
    notifyContactBySms(before, 'email_sms', { client, language }, context)
  }

  return reply(null)
}

async function byToken(
  { token }: Extract<Body<'confirmEmail'>, { by: 'token' }>,
  bearer: Bearer | null,
  { client, rateLimiter, made }: RequestInfo,
  context: Context,
): Promise<NonNullable<Confirmation>> {
  const { store, emailTokens } = context
  const done = await store.emailConfirmations.byToken(emailTokens.hash(token), bearer, made, toAuditContext(client))
  const failures = { token: ['email_token_wrong'] } as const
  return done ?? refuseToken('email_verification_failed', failures, { client, rateLimiter }, context)
}

async function byCode(
  { code }: Extract<Body<'confirmEmail'>, { by: 'code' }>,
  bearer: Bearer | null,
  { client, made }: RequestInfo,
  { store, emailCodes }: Context,
): Promise<NonNullable<Confirmation>> {
  if (!bearer) throw new Failure('token_missing')
  await store.accessState.account(bearer)
  const { accountId } = bearer
  const auditContext = toAuditContext(client)
  const about = { ...auditContext, accountId }
  const counted = await store.emailVerifications.countTry(bearer)
  if (counted && 'retryAfterSeconds' in counted) {
    const refusal = new Failure('email_tries_exhausted', counted)
    return store.audit.recordRefusal(refusal, REFUSALS, String(accountId), about)
  }
  const isRight = counted && emailCodes.isRight({ accountId, ...counted }, asciiDigits(code))
  const done = isRight && (await store.emailConfirmations.byCode(bearer, counted, made, auditContext))
  if (done) return done
  await store.audit.record({ event: 'email_verification_failed', ...about })
  throw invalidData({ code: ['otp_wrong'] })
}
