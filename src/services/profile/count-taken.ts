import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import type { Counter } from '../../domain/limits/policy.ts'
import type { RateLimiter } from '../../domain/limits/rate-limiter.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

type Taken = { email: boolean; phone: boolean }

/** The request that looks identifiers up: a registration, or an update of an account */
type RequestInfo = { client: Client; rateLimiter: RateLimiter; accountId: number | undefined }

/**
 * Looks up whether identifiers are taken. Taken ones are counted against a limit, because many of them indicate a search for
 * existing accounts.
 *
 * @throws Failure 429 `rate_limited`
 */
export async function lookUpTaken(
  { client, rateLimiter, accountId }: RequestInfo,
  { store }: Context,
  lookUp: () => Promise<Taken>,
): Promise<Taken> {
  const ofAccount = accountId === undefined ? [] : [{ policy: RATE_LIMITS['profile-taken'], key: String(accountId) }]
  const counters: Counter[] = [{ policy: RATE_LIMITS['register-taken'], key: client.network }, ...ofAccount]
  const isTaken = ({ email, phone }: Taken): boolean => email || phone
  return rateLimiter.countFailures(counters, lookUp, isTaken).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    const about = { ...toAuditContext(client), ...(accountId !== undefined && { accountId }) }
    return store.audit.recordRefusal(error, { rate_limited: 'taken_limited' }, client.network, about)
  })
}
