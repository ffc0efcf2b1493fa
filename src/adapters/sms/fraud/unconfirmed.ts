// The budgets of messages whose codes were not confirmed, by country. Pumping leads to messages whose codes are never confirmed.
import { LIMITS } from '../../../../generated/limits.ts'
import type { Counter, Policy, Easing } from '../../../domain/rate-limiter.ts'
import type { Phone } from '../../../domain/phones/phone.ts'
import type { Proof, UnconfirmedBudgets } from '../../../domain/phones/sms.ts'
import type { Limits } from '../../limits/index.ts'
import { callingCodeOf } from '../phone-numbers.ts'
import { Failure } from '../../../domain/failure.ts'

export const UNCONFIRMED = 'sms-unconfirmed'
const DAY_SECONDS = 86_400
/** Enough for one user who requests codes again, however small the budget is */
const NETWORK_POINTS_MIN = LIMITS.sms.per_block_and_network_per_hour

/**
 * Returns the counters of a country and of a network in it that a message adds 1 to, and from which a confirmed code removes
 * several. They do not fall below zero, so confirmed codes cannot be saved up for a later attack.
 */
export function unconfirmedCounters(
  budgets: UnconfirmedBudgets,
  { callingCode, network }: { callingCode: string; network: string },
): { shared: Counter; own: Counter } {
  const perDay = budgets.homeCountries.has(callingCode) ? budgets.perHomeCountry : budgets.perOtherCountry
  const share = Math.max(NETWORK_POINTS_MIN, Math.ceil((perDay * budgets.networkPercent) / 100))
  const policy: Policy = { name: UNCONFIRMED, points: pointsAtOnce(perDay), seconds: DAY_SECONDS, failsClosed: true }
  return {
    shared: { policy: { ...policy, eases: EASES }, key: callingCode },
    own: { policy: { ...policy, name: `${UNCONFIRMED}-network`, points: share }, key: `${callingCode} ${network}` },
  }
}

/** Returns how much of a daily budget can be used at once. Every message counts for at least as much in the rest of the day. */
export function pointsAtOnce(perDay: number): number {
  return Math.max(1, Math.floor((perDay * EASES.percent) / 100))
}

/** Receives the number whose code was confirmed, in E.164, and the network that confirmed it. */
export type CreditConfirmation = (confirmed: Readonly<{ phone: string; network: string }>) => Promise<void>

/**
 * Returns a function that makes up for unconfirmed messages when a code is confirmed. A number counts once a day, so that few
 * numbers cannot pay for many messages. Test numbers receive no messages, and do not count.
 */
export function confirmationCredit(
  budgets: UnconfirmedBudgets,
  { limits, testNumbers }: { limits: Pick<Limits, 'credit'>; testNumbers: ReadonlyMap<Phone['e164'], string> },
): CreditConfirmation {
  const policy: Policy = { name: 'sms-confirmed-number', points: 1, seconds: DAY_SECONDS }
  return async ({ phone, network }) => {
    if (testNumbers.has(phone)) return
    const { shared, own } = unconfirmedCounters(budgets, { callingCode: callingCodeOf(phone), network })
    await limits.credit([...withShares([shared], 'none'), own], LIMITS.sms.confirmed_credit, { policy, key: phone })
  }
}

/** How the messages of these budgets weigh less after some minutes, so that an attack blocks a country only that long */
export const EASES: Easing = { seconds: LIMITS.sms.easing_minutes * 60, percent: LIMITS.sms.eased_percent }

/**
 * Adds the counters of the shares of a message: the free share of messages without proof, which it leaves in part to known networks,
 * and that of all messages without the solution of a challenge. The rest is for solved challenges.
 *
 * @param percent the free share of each counter
 */
export function withShares(
  counters: readonly Counter[],
  proof: Proof,
  percent: number = LIMITS.sms.free_percent,
): Counter[] {
  const share = (name: string, part: number): Counter[] =>
    counters.map(({ policy, key }) => {
      const points = Math.max(1, Math.floor((policy.points * part) / 100))
      return { policy: { ...policy, name: `${policy.name}-${name}`, points, isNamedLast: true }, key }
    })
  const unsolved = proof === 'challenge' ? [] : share('unsolved', (100 + percent) / 2)
  return [...counters, ...unsolved, ...(proof === 'none' ? share('free', percent) : [])]
}

/** Returns whether a message was rejected only because a share is used up: with a better proof, it may be sent. */
export function needsProof(error: unknown): error is Failure {
  return error instanceof Failure && error.counter?.policy.isNamedLast === true
}
