import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Policy, RateLimiter } from '../../domain/rate-limiter.ts'
import type { SmsBudgets, Language } from '../../domain/phones/sms.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import type { Sms } from './index.ts'

/** SMS without a code, for example after the e-mail address of an account was changed. */
export type SmsNotices = {
  /** @throws Failure 429 `rate_limited` if the account, the number or all notices have reached their daily limit */
  send(notice: Notice): Promise<void>
}

export type Notice = Readonly<{
  accountId: number
  to: Phone
  text: string
  language: Language
  reference: string
  /**
   * Those that anyone can request have limits of their own, so that a stranger uses up no notice of a change. So have those with a code
   * that undoes changes: a thief who makes many must not hold it back.
   */
  kind: 'change' | 'requested' | 'undo'
}>

type Tools = Readonly<{ sms: Sms; limits: Pick<RateLimiter, 'consume'>; countries: ReadonlySet<string> | undefined }>

/** Sends notices within lower limits than those of all SMS, so that most of the daily budget is left for codes. */
export function smsNotices({ perDay }: Pick<SmsBudgets, 'perDay'>, { sms, limits, countries }: Tools): SmsNotices {
  const points = Math.max(1, Math.floor((perDay * LIMITS.sms.notices_percent) / 100))
  const allNotices: Policy = { ...RATE_LIMITS['sms-notices-account'], name: 'sms-notices-day', points }
  return {
    async send({ accountId, kind, ...message }) {
      if (countries?.has(message.to.callingCode) === false) return
      const prefix = kind === 'change' ? '' : `${kind} `
      await limits.consume([
        { policy: RATE_LIMITS['sms-notices-account'], key: `${prefix}${accountId}` },
        { policy: RATE_LIMITS['sms-notices-number'], key: `${prefix}${message.to.e164}` },
        { policy: allNotices, key: `${prefix}all` },
      ])
      await sms.send({ ...message, purpose: 'notice', channel: 'sms', network: `account ${accountId}` })
    },
  }
}
