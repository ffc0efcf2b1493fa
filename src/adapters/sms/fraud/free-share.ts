// The shares of the budgets, of countries and of ranges of numbers, that every message may use. The rest is a reserve for messages
// with proof: a solved challenge, a known network or an existing account.
import { LIMITS } from '../../../../generated/limits.ts'
import { Failure } from '../../../domain/failure.ts'
import type { Counter, Easing } from '../../../domain/limits/policy.ts'

/** How the messages of these budgets weigh less after some minutes, so that an attack blocks a country only that long */
export const EASES: Easing = { seconds: LIMITS.sms.easing_minutes * 60, percent: LIMITS.sms.eased_percent }

/**
 * Adds the counters of the free shares, which count messages without proof only.
 *
 * @param percent the free share of each counter
 */
export function withFreeShares(counters: readonly Counter[], percent: number = LIMITS.sms.free_percent): Counter[] {
  const free = counters.map(({ policy, key }): Counter => {
    const points = Math.max(1, Math.floor((policy.points * percent) / 100))
    return { policy: { ...policy, name: `${policy.name}-free`, points, isNamedLast: true }, key }
  })
  return [...counters, ...free]
}

/** Returns whether a message was rejected only because a free share is used up: with proof, it may be sent. */
export function needsProof(error: unknown): error is Failure {
  return error instanceof Failure && error.counter?.policy.isNamedLast === true
}
