import { LIMITS } from '../../generated/limits.ts'
import type { Policy } from '../domain/limit.ts'
import type { Phone } from '../domain/phone.ts'
import type { Limits } from './limits.ts'
import type { SmsBudgets } from './sms-budgets.ts'
import type { Sms } from './sms.ts'

/** Messages by SMS that contain no code, for example that the e-mail address of an account was changed. */
export type SmsNotices = {
  /** @throws Failure 429 `rate_limited` when the account has had enough of them, or they have used up their budget */
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
 * Sends notices within limits of their own, below those of all SMS: however many there are, most of the daily budget is
 * left for codes.
 */
export function smsNotices(
  { perDay }: Pick<SmsBudgets, 'perDay'>,
  { sms, limits, countries }: { sms: Sms; limits: Pick<Limits, 'take'>; countries: ReadonlySet<string> | undefined },
): SmsNotices {
  const points = Math.max(1, Math.floor((perDay * LIMITS.sms.notices_percent) / 100))
  const ofAll: Policy = { ...PER_ACCOUNT, name: 'sms-notices-day', points }
  return {
    async send({ accountId, ...message }) {
      if (countries?.has(message.to.callingCode) === false) return
      await limits.take({ policy: PER_ACCOUNT, key: String(accountId) }, [])
      await limits.take({ policy: ofAll, key: 'all' }, [])
      await sms.send({ ...message, purpose: 'notice', network: `account ${accountId}` })
    },
  }
}
