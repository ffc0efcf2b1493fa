import { LIMITS } from '../../generated/limits.ts'
import type { Counter, Policy } from '../domain/limit.ts'
import type { SmsOutcome } from '../domain/sms.ts'
import type { Limits } from './limits.ts'
import type { Sms } from './sms.ts'

/**
 * How many messages may go out in a day: in all, and to one calling code. One network gets `networkPercent` of each, and
 * `resetPercent` of each is for resets of existing accounts only.
 */
export type SmsBudgets = Readonly<{
  perDay: number
  perCountryPerDay: number
  networkPercent: number
  resetPercent: number
}>

type Message = Parameters<Sms['send']>[0]

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Runs of neighbouring numbers are how messages are pumped for a share of their price. */
const PER_BLOCK: Policy = {
  name: 'sms-block',
  points: LIMITS.sms.per_block_per_hour,
  seconds: HOUR_SECONDS,
  failsClosed: true,
}
const PER_BLOCK_AND_NETWORK: Policy = {
  ...PER_BLOCK,
  name: 'sms-block-network',
  points: LIMITS.sms.per_block_and_network_per_hour,
}

/**
 * Sends as long as there is a budget for it. A message that every provider refused is given back.
 *
 * The counters go on no slate: what others have sent is not the caller's to know.
 */
export function smsWithin(budgets: SmsBudgets, sms: Sms, limits: Pick<Limits, 'countFailures'>): Sms {
  const countersOf = (message: Message): Counter[] => {
    const { to, network } = message
    const block = to.e164.slice(0, -LIMITS.sms.block_digits)
    return [
      { policy: PER_BLOCK, key: block },
      { policy: PER_BLOCK_AND_NETWORK, key: `${block} ${network}` },
      ...budgetOf('sms-country-day', budgets.perCountryPerDay, to.callingCode, message),
      ...budgetOf('sms-day', budgets.perDay, 'all', message),
    ]
  }
  /** The counters of one budget: what is left for the purpose, and the share of the network. */
  const budgetOf = (name: string, points: number, key: string, { network, purpose }: Message): Counter[] => {
    const policy: Policy = { name, points, seconds: DAY_SECONDS, failsClosed: true }
    const reserved = purpose === 'reset' ? 0 : Math.floor(shareOf(points, budgets.resetPercent))
    const share = Math.max(1, Math.ceil(shareOf(points, budgets.networkPercent)))
    return [
      { policy: { ...policy, points: points - reserved }, key },
      { policy: { ...policy, name: `${name}-network`, points: share }, key: `${key} ${network}` },
    ]
  }
  return {
    async send(message) {
      let outcome: SmsOutcome = 'refused'
      await limits.countFailures(countersOf(message), [], async () => {
        outcome = await sms.send(message)
        return outcome === 'refused'
      })
      return outcome
    },
  }
}

function shareOf(points: number, percent: number): number {
  return (points * percent) / 100
}
