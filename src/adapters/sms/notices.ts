import { LIMITS } from '../../../generated/limits.ts'
import type { Policy } from '../../domain/limits/policy.ts'
import type { RateLimiter } from '../../domain/limits/rate-limiter.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import type { SmsBudgets } from './budgets.ts'
import type { Sms } from './index.ts'

/** SMS without a code, for example after the e-mail address of an account was changed. */
export type SmsNotices = {
  /** @throws Failure 429 `rate_limited` if the account or all notices have reached their daily limit */
  send(notice: Readonly<{ accountId: number; to: Phone; text: string; reference: string }>): Promise<void>
}

const DAY_SECONDS = 86_400

const PER_ACCOUNT: Policy = {
  name: 'sms-notices-account',
  points: LIMITS.sms.notices_per_day,
  seconds: DAY_SECONDS,
  failsClosed: true,
}

/**
 * Sends notices within their own limits, which are below those of all SMS, so that most of the daily budget is left for
 * codes.
 */
export function smsNotices(
  { perDay }: Pick<SmsBudgets, 'perDay'>,
  {
    sms,
    limits,
    countries,
  }: { sms: Sms; limits: Pick<RateLimiter, 'consume'>; countries: ReadonlySet<string> | undefined },
): SmsNotices {
  const points = Math.max(1, Math.floor((perDay * LIMITS.sms.notices_percent) / 100))
  const allNotices: Policy = { ...PER_ACCOUNT, name: 'sms-notices-day', points }
  return {
    async send({ accountId, ...message }) {
      if (countries?.has(message.to.callingCode) === false) return
      await limits.consume([
        { policy: PER_ACCOUNT, key: String(accountId) },
        { policy: allNotices, key: 'all' },
      ])
      await sms.send({ ...message, purpose: 'notice', network: `account ${accountId}` })
    },
  }
}
