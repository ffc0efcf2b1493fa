import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import { Failure } from '../../domain/failure.ts'
import type { Context } from '../../context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { composeMails, type RequestInfo } from '../../services/notifications/mail.ts'
import { failureSubject } from '../../services/password/guess-counters.ts'
import { refuseLogin, verifyLogin } from '../../services/password/verify-password.ts'
import { sendResetCode } from '../../services/phone/send-code.ts'

export const requestFactorReset: Operation<'requestFactorReset'> = async (call, context) => {
  const { rateLimiter, reply } = call
  const { store, mail, resetTokens, limits, clock } = context
  const verified = await verifyLogin(call, undefined, context)
  const { account, auditContext } = verified
  // the response reveals that the password is right, as a login does, so it is recorded like one
  const reject = async (code: 'second_factor_missing' | 'factor_reset_unavailable'): Promise<never> => {
    await store.audit.record({ event: 'factor_reset_failed', accountId: account.id, ...auditContext })
    throw new Failure(code)
  }
  if (!account.factors) return reject('second_factor_missing')
  const owner = (await store.factors.resettable(account.id)) ?? (await reject('factor_reset_unavailable'))
  if (owner.byEmail && !mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })

  const counter = { policy: RATE_LIMITS['factor-resets'], key: failureSubject(account.email, account) }
  const usedAtMs = clock.nowMs()
  await rateLimiter.consume(counter)
  const phone = { e164: owner.phone, callingCode: owner.phoneCode }
  if (owner.byPhone)
    await sendResetCode(phone, 'factor_reset', call, context).catch(async (error: unknown) => {
      await limits.giveBack(counter, usedAtMs)
      throw error
    })

  const token = resetTokens.newToken()
  const hash = resetTokens.hash(token)
  const { byEmail } = owner
  const records = { auditContext, mails: byEmail ? composeLinkMail(account, { token, hash }, call, context) : [] }
  const isStored = await store.factors.requestReset(account, { tokenHash: hash, byEmail }, records)
  if (!isStored) return refuseLogin('login_failed', verified, context) // something has changed since it was compared

  return reply({ token: byEmail ? null : token })
}

function composeLinkMail(
  { id: accountId, email: to }: Readonly<{ id: number; email: string }>,
  { token, hash }: Readonly<{ token: string; hash: Uint8Array }>,
  request: RequestInfo,
  context: Context,
): NewMail[] {
  const { minutes } = LIMITS.reset
  const values = { link: buildEmailLink(context.factorResetUrl, token, 'confirm-factor-reset'), minutes }
  const notice = { accountId, to, about: 'factor_reset', values, token: { hash, seconds: minutes * 60 } } as const
  return composeMails([notice], request, context)
}
