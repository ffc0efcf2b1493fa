import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { Body, Call, Operation } from '../contract.ts'
import type { Bearer } from '../domain/account.ts'
import { emailLink } from '../domain/email-link.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import { maskEmail } from '../domain/mask.ts'
import { asciiDigits } from '../domain/phone.ts'
import { traceOf } from '../domain/trace.ts'
import { notifyContactBySms } from './shared/announce-change.ts'
import { notify } from './shared/mail.ts'
import { refuseToken } from './shared/refuse-token.ts'

type Confirmation = Awaited<ReturnType<Context['store']['emailConfirmations']['byToken']>>
type Asking = Pick<Call<'confirmEmail'>, 'client' | 'slate'> & { made: { undoHash: Hash; consentHash: Hash } }
type Hash = ReturnType<Context['emailTokens']['hashOf']>

const REFUSALS = { email_tries_exhausted: 'email_verification_limited' } as const

export const confirmEmail: Operation<'confirmEmail'> = async (call, context) => {
  const { body, bearer, client, language, slate, reply } = call
  const { emailTokens, emailUrl } = context
  const [undo, consent] = [emailTokens.newToken(), emailTokens.newToken()]
  const made = { undoHash: emailTokens.hashOf(undo), consentHash: emailTokens.hashOf(consent) }
  const asking = { client, slate, made }
  const done =
    body.by === 'token' ? await byToken(body, bearer, asking, context) : await byCode(body, bearer, asking, context)

  if (done.outcome === 'changed') {
    const values = {
      email: maskEmail(done.email),
      undo: emailLink(emailUrl, undo, 'cancel'),
      consent: emailLink(emailUrl, consent, 'confirm'),
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
  { client, slate, made }: Asking,
  context: Context,
): Promise<NonNullable<Confirmation>> {
  const { store, emailTokens } = context
  const done = await store.emailConfirmations.byToken(emailTokens.hashOf(token), bearer, made, traceOf(client))
  const failures = { token: ['email_token_wrong'] } as const
  return done ?? refuseToken('email_verification_failed', failures, { client, slate }, context)
}

async function byCode(
  { code }: Extract<Body<'confirmEmail'>, { by: 'code' }>,
  bearer: Bearer | null,
  { client, made }: Asking,
  { store, emailCodes }: Context,
): Promise<NonNullable<Confirmation>> {
  if (!bearer) throw new Failure('token_missing')
  if (!(await store.bearers.account(bearer))) throw new Failure('token_revoked')
  const { accountId } = bearer
  const trace = traceOf(client)
  const about = { ...trace, accountId }
  const counted = await store.emailVerifications.countTry(bearer)
  if (counted === 'exhausted') {
    const retryAfterSeconds = LIMITS.email.cooldown_seconds
    const refusal = new Failure('email_tries_exhausted', { retryAfterSeconds })
    return store.audit.recordRefusal(refusal, REFUSALS, String(accountId), about)
  }
  const isRight = counted && emailCodes.isRight({ accountId, ...counted }, asciiDigits(code))
  const done = isRight && (await store.emailConfirmations.byCode(bearer, counted, made, trace))
  if (done) return done
  await store.audit.record({ event: 'email_verification_failed', ...about })
  throw invalidData({ code: ['otp_wrong'] })
}
