import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import type { Counter, Policy } from '../../domain/limits/policy.ts'
import type { RateLimiter } from '../../domain/limits/rate-limiter.ts'
import { toSite } from '../sessions/client-site.ts'

type CodeRequest = Readonly<{ client: Client; rateLimiter: RateLimiter }>

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

/** Counts a request for a code, whatever its outcome. */
export async function consumeSend(client: Client, rateLimiter: RateLimiter): Promise<void> {
  await rateLimiter.consume(requestCounters(client))
}

/**
 * Counts a request for a code, whatever its outcome. If the network has used up most of a limit, and challenges are configured,
 * it needs the solution of one. Only requests decide this, so it does not reveal whether an account exists.
 *
 * A solution is counted before it is verified: it is valid once, and a network can have few of them verified. If the verifier is
 * unavailable, the limits apply as without challenges.
 *
 * @param solution undefined if the request has none
 * @throws Failure 429 `rate_limited` or `challenge_required`
 */
export async function consumeCodeRequest(
  solution: string | undefined,
  { client, rateLimiter }: CodeRequest,
  { challenge }: Pick<Context, 'challenge'>,
): Promise<void> {
  const counters = requestCounters(client)
  if (!challenge?.captcha.isAvailable()) return rateLimiter.consume(counters)
  const free = await isAllowed(rateLimiter, [
    ...counters,
    { policy: FREE_HOUR, key: client.network },
    { policy: toFreeDay(challenge.freePerDay), key: toSite(client) },
  ])
  if (free.isAllowed) return

  const required = new Failure('challenge_required', { retryAfterSeconds: free.retryAfterSeconds })
  if (solution === undefined) throw required
  const first = await isAllowed(rateLimiter, [...counters, { policy: SOLUTION, key: solution }])
  const isValid = first.isAllowed && (await challenge.captcha.verify(solution, client.address))
  if (isValid === false) throw required
}

function requestCounters({ network: key }: Client): Counter[] {
  return [
    { policy: RATE_LIMITS['check-phone-minute'], key },
    { policy: RATE_LIMITS['check-phone-hour'], key },
  ]
}

/** The requests of a day that need no solution: as many as messages of a network, most of which they lead to. */
function toFreeDay(points: number): Policy {
  return { ...CHALLENGE, name: 'challenge-day', points, seconds: 86_400 }
}

type Allowed = { isAllowed: true } | { isAllowed: false; retryAfterSeconds: number }

/**
 * Consumes points, and returns whether the counters of challenges had one left.
 *
 * @throws Failure if another counter has none left
 */
async function isAllowed(rateLimiter: RateLimiter, counters: readonly Counter[]): Promise<Allowed> {
  try {
    await rateLimiter.consume(counters)
    return { isAllowed: true }
  } catch (error) {
    if (!(error instanceof Failure) || !error.counter?.policy.isNamedLast) throw error
    return { isAllowed: false, retryAfterSeconds: error.retryAfterSeconds ?? 1 }
  }
}
