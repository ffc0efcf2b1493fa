import { LIMITS } from '../../generated/limits.ts'
import type { Counter, Policy } from '../domain/limit.ts'
import type { Phone } from '../domain/phone.ts'
import type { SmsOutcome } from '../domain/sms.ts'
import type { Limits } from './limits.ts'
import type { Sms } from './sms.ts'

/** How many messages may go out in a day: in all, and to one calling code. */
export type SmsBudgets = Readonly<{ perDay: number; perCountryPerDay: number }>

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Runs of neighbouring numbers are how messages are pumped for a share of their price. */
const PER_BLOCK: Policy = {
  name: 'sms-block',
  points: LIMITS.sms.per_block_per_hour,
  seconds: HOUR_SECONDS,
  failsClosed: true,
}

/**
 * Sends as long as there is a budget for it. A message that every provider refused is given back.
 *
 * The counters go on no slate: what others have sent is not the caller's to know.
 */
export function smsWithin(budgets: SmsBudgets, sms: Sms, limits: Pick<Limits, 'countFailures'>): Sms {
  const perDay: Policy = { name: 'sms-day', points: budgets.perDay, seconds: DAY_SECONDS, failsClosed: true }
  const perCountry: Policy = { ...perDay, name: 'sms-country-day', points: budgets.perCountryPerDay }
  const countersOf = ({ e164, callingCode }: Phone): Counter[] => [
    { policy: PER_BLOCK, key: e164.slice(0, -LIMITS.sms.block_digits) },
    { policy: perCountry, key: callingCode },
    { policy: perDay, key: 'all' },
  ]
  return {
    async send(message) {
      let outcome: SmsOutcome = 'refused'
      await limits.countFailures(countersOf(message.to), [], async () => {
        outcome = await sms.send(message)
        return outcome === 'refused'
      })
      return outcome
    },
  }
}
