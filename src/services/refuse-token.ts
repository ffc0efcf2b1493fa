import { RATE_LIMITS } from '../../generated/rate-limits.ts'
import type { Context } from '../context.ts'
import type { AnyCall } from '../contract/operation.ts'
import { toAuditContext, type EventName } from '../domain/audit/audit-context.ts'
import { invalidData, type FieldFailures } from '../domain/failure.ts'

/**
 * Rejects an invalid token from an e-mail. It counts like an invalid access token.
 *
 * @param failures the failures of the token and of other fields of the request
 * @throws Failure 422, or 429 `rate_limited`
 */
export async function refuseToken(
  event: EventName,
  failures: FieldFailures,
  { client, rateLimiter }: AnyCall,
  { store }: Context,
): Promise<never> {
  await rateLimiter.consume({ policy: RATE_LIMITS['refused-tokens'], key: client.network })
  await store.audit.record({ event, ...toAuditContext(client) })
  throw invalidData(failures)
}
