import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import {
  NO_WINDOW_ID,
  confirm,
  type CodePurpose,
  type CodeUse,
  type PhoneVerification,
  type Decision,
} from '../../domain/phones/phone-verification.ts'
import type { Counter, RateLimiter } from '../../domain/rate-limiter.ts'
import { maskPhone } from '../../domain/text.ts'
import { toAuditContext, type AuditEvent } from '../../domain/audit/audit-context.ts'
import { toNetwork48 } from './code-requests.ts'

const REFUSALS = { rate_limited: 'phone_confirm_limited', otp_tries_exhausted: 'otp_exhausted' } as const

/** A code that a client has entered; the phone number is in E.164. */
type Entered = { phone: string; purpose: CodePurpose; use?: CodeUse; otp: string; client: Client }

/** A try to confirm a number, which must run as an attempt on its counter */
export type CodeAttempt = Readonly<{
  counter: Counter
  /** Evaluates the code, and records the try. The decision takes the same time whatever is wrong with the code. */
  run(): Promise<Decision>
  /** Records a rejection of the try, and throws it again. */
  refuse(error: unknown): Promise<never>
}>

/**
 * Tries to confirm a number with a code. The try is counted and recorded. Resolves to the confirmed verification, or to undefined if
 * the code is wrong or expired, is for another purpose, or none was sent; all of these take the same time.
 *
 * @throws Failure 429 `otp_tries_exhausted` or `rate_limited`
 */
export async function confirmCode(
  { rateLimiter, ...entered }: Entered & { rateLimiter: RateLimiter },
  context: Context,
): Promise<PhoneVerification | undefined> {
  const { counter, run, refuse } = codeAttempt(entered, context)
  const { next, isConfirmed } = await rateLimiter
    .countFailures([counter], run, (decision) => !decision.isConfirmed)
    .catch(refuse)
  return isConfirmed ? next : undefined
}

/** Prepares an attempt, for a caller that counts it together with other attempts. */
export function codeAttempt({ phone, purpose, use = purpose, otp, client }: Entered, context: Context): CodeAttempt {
  const { store, codes, networkHash } = context
  const auditContext = toAuditContext(client, maskPhone(phone))
  const by = networkHash(toNetwork48(client))
  const toEvent = ({ isConfirmed, isRepeated }: Decision): AuditEvent | undefined =>
    isRepeated ? undefined : { event: isConfirmed ? 'phone_confirmed' : 'phone_confirmation_failed', ...auditContext }
  const decide = (): Promise<Decision> =>
    store.phoneVerifications.change({ phone, purpose }, (current, nowMs) => {
      const { windowId } = current ?? { windowId: NO_WINDOW_ID }
      const isRight = codes.isRight({ phone, purpose: use, windowId }, otp)
      const decision = confirm(current, { phone, purpose }, { isRight, by }, nowMs)
      return { ...decision, event: toEvent(decision) }
    })
  return {
    counter: { policy: RATE_LIMITS['confirm-phone-address'], key: client.network },
    async run() {
      const decision = await decide()
      const isNew = decision.isConfirmed && !decision.isRepeated
      if (isNew && purpose === 'verification') creditLater({ phone, network: toNetwork48(client) }, context)
      return decision
    },
    refuse: (error) => store.audit.recordRefusal(error, REFUSALS, phone, auditContext),
  }
}

/** Makes up for unconfirmed messages after the response, which must neither wait for it nor fail with it. */
function creditLater(
  confirmed: Parameters<Context['creditConfirmation']>[0],
  { background, creditConfirmation, log }: Context,
): void {
  try {
    background.enqueue('the credit for a confirmed code', () => creditConfirmation(confirmed))
  } catch (error) {
    log.info({ err: error }, 'a confirmed code was not credited to its country')
  }
}
