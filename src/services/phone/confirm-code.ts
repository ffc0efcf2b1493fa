import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import type { CodePurpose, PhoneVerification } from '../../domain/phones/code-window.ts'
import { NO_WINDOW_ID } from '../../domain/phones/code-purposes.ts'
import type { RateLimiter } from '../../domain/limits/rate-limiter.ts'
import { maskPhone } from '../../domain/mask.ts'
import { asciiDigits } from '../../domain/phones/phone.ts'
import { confirm, type Verdict } from '../../domain/phones/phone-verification.ts'
import { toAuditContext, type AuditEvent } from '../../domain/audit/audit-context.ts'
import { toSite } from '../sessions/client-site.ts'

const REFUSALS = { rate_limited: 'phone_confirm_limited', otp_tries_exhausted: 'otp_exhausted' } as const

/** A code that a client has entered */
type Try = { phone: string; purpose: CodePurpose; otp: string; client: Client; rateLimiter: RateLimiter }

/**
 * Tries to confirm a number with a code. The try is counted and recorded. Resolves to the confirmed window, or to undefined if
 * the code is wrong or expired, is for another purpose, or none was sent; all of these take the same time.
 *
 * @param phone E.164
 * @param otp in digits of any script
 * @throws Failure 429 `otp_tries_exhausted` or `rate_limited`
 */
export async function confirmCode(
  { phone, purpose, otp, client, rateLimiter }: Try,
  { store, codes, networkHash }: Context,
): Promise<PhoneVerification | undefined> {
  const { network } = client
  const auditContext = toAuditContext(client, maskPhone(phone))
  const code = asciiDigits(otp)
  const by = networkHash(toSite(client))
  const toEvent = ({ isConfirmed, isRepeated }: Verdict): AuditEvent | undefined =>
    isRepeated ? undefined : { event: isConfirmed ? 'phone_confirmed' : 'phone_confirmation_failed', ...auditContext }
  const tryCode = (): Promise<Verdict> =>
    store.phoneVerifications.change({ phone, purpose }, (current, nowMs) => {
      const isRight = codes.isRight(current ?? { phone, purpose, windowId: NO_WINDOW_ID }, code)
      const verdict = confirm(current, { phone, purpose }, { isRight, by }, nowMs)
      return { ...verdict, event: toEvent(verdict) }
    })
  const { next, isConfirmed } = await rateLimiter
    .countFailures(
      [{ policy: RATE_LIMITS['confirm-phone-address'], key: network }],
      tryCode,
      (verdict) => !verdict.isConfirmed,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, phone, auditContext))
  return isConfirmed ? next : undefined
}
