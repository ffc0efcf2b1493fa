import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { AnyCall, Client } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import type { Counter, Policy, RateLimiter } from '../../domain/rate-limiter.ts'
import type { FindProof } from '../../domain/phones/sms.ts'

/** Policies of challenges are hidden: whether one is configured is up to the operator. */
const CHALLENGE = { failsClosed: true, isHidden: true, isNamedLast: true } as const
const FREE_HOUR: Policy = {
  ...CHALLENGE,
  name: 'challenge-hour',
  points: Math.floor((LIMITS.check_phone.per_hour * LIMITS.challenge.percent) / 100),
  seconds: 3600,
}
/** Longer than any verifier accepts a solution */
const SOLUTION: Policy = { ...CHALLENGE, name: 'challenge-solution', points: 1, seconds: 3600 }

/**
 * Counts a request for a code, whatever its outcome. If the network has used up most of a limit, and challenges are configured,
 * it needs the solution of one. Only requests decide this, so it does not reveal whether an account exists.
 *
 * A solution is valid once, and a network can have few of them verified. If the verifier is unavailable, the limits apply as
 * without challenges.
 *
 * @param solution undefined if the request has none
 * @returns whether the request had a valid solution that was required
 * @throws Failure 429 `rate_limited` or `challenge_required`
 */
export async function consumeCodeRequest(
  solution: string | undefined,
  { client, rateLimiter }: AnyCall,
  { challenge }: Pick<Context, 'challenge'>,
): Promise<boolean> {
  const counters = requestCounters(client)
  if (!challenge?.captcha.isAvailable()) {
    await rateLimiter.consume(counters)
    return false
  }
  // as many requests of a day need no solution as there are messages of a network, which most of them lead to
  const freeDay = { ...CHALLENGE, name: 'challenge-day', points: challenge.freePerDay, seconds: 86_400 }
  const used = await consumeFree(rateLimiter, [
    ...counters,
    { policy: FREE_HOUR, key: client.network },
    { policy: freeDay, key: toNetwork48(client) },
  ])
  return used !== undefined && requireSolution(solution, { client, rateLimiter, counters, used }, { challenge })
}

/** Finds the next better proof of a request that was counted, like `FindProof`. */
export function proofFinder(
  solution: string | undefined,
  { client, rateLimiter }: AnyCall,
  { challenge, store }: Pick<Context, 'challenge' | 'store'>,
): FindProof {
  return async (used, present) => {
    if (present === 'none' && (await store.sessions.isTrustedNetwork(client.network))) return 'known_network'
    return (await requireSolution(solution, { client, rateLimiter, used }, { challenge })) ? 'challenge' : undefined
  }
}

type Solving = Pick<AnyCall, 'client' | 'rateLimiter'> & { counters?: readonly Counter[]; used?: Failure }

/**
 * Returns whether a request has the valid solution of a challenge; false if none is configured or the verifier does not tell. The
 * solution is counted before it is verified.
 *
 * @param used the failure of the limit that requires the solution, if any
 * @throws Failure 429 `challenge_required`, or `rate_limited` if one of the counters is used up
 */
export async function requireSolution(
  solution: string | undefined,
  { client, rateLimiter, counters = [], used }: Solving,
  { challenge }: Pick<Context, 'challenge'>,
): Promise<boolean> {
  if (!challenge?.captcha.isAvailable()) return false
  const { captcha } = challenge
  const required = new Failure('challenge_required', { retryAfterSeconds: used?.retryAfterSeconds ?? 1 })
  if (solution === undefined) throw required
  const repeated = await consumeFree(rateLimiter, [...counters, { policy: SOLUTION, key: solution }])
  const isValid = repeated ? false : await captcha.verify(solution, client.address)
  if (isValid === false) throw required
  return isValid ?? false
}

/** Returns the counters of requests for a code, which count whatever their outcome is. */
export function requestCounters({ network: key }: Client): Counter[] {
  return [
    { policy: RATE_LIMITS['check-phone-minute'], key },
    { policy: RATE_LIMITS['check-phone-hour'], key },
  ]
}

/**
 * Consumes points, and returns the failure of a counter of challenges that had none left.
 *
 * @throws Failure if another counter has none left
 */
async function consumeFree(rateLimiter: RateLimiter, counters: readonly Counter[]): Promise<Failure | undefined> {
  try {
    await rateLimiter.consume(counters)
    return undefined
  } catch (error) {
    if (error instanceof Failure && error.counter?.policy.isNamedLast) return error
    throw error
  }
}

/**
 * Returns the network that limits on phone numbers and SMS count: an IPv4 address or an IPv6 /48, because one customer may
 * have all its /64s.
 */
export function toNetwork48({ network, wideNetworks }: Pick<Client, 'network' | 'wideNetworks'>): string {
  return wideNetworks[1] ?? network
}
