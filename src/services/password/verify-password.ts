import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import type { Bearer, OwnCredentials } from '../../domain/accounts/account.ts'
import { accountRequester, type RateLimiter } from '../../domain/limits/policy.ts'
import { toAuditContext, type EventName } from '../../domain/audit/audit-context.ts'
import { dayCounter } from './password-failures.ts'

type RequestInfo = {
  bearer: Bearer
  password: string
  client: Client
  abandoned: AbortSignal
  rateLimiter: RateLimiter
  /** The audit events of a wrong password, and of too many */
  events: { wrong: EventName; limited: EventName }
}

/**
 * Verifies the password of the account behind a token. Wrong passwords are counted and recorded.
 *
 * @throws Failure 401 `token_revoked`, 429 `rate_limited`
 */
export async function verifyPassword(
  { bearer, password, client, abandoned, rateLimiter, events }: RequestInfo,
  { store, passwords }: Context,
): Promise<{ account: OwnCredentials; isCorrect: boolean }> {
  const account = await store.accounts.bearerCredentials(bearer, client.network)
  const { accountId } = bearer
  const key = `${accountId} ${client.network}` // so that a stolen token blocks only the network of the thief
  const about = { ...toAuditContext(client), accountId }
  const requester = accountRequester(accountId, abandoned)
  const isKnown = await rateLimiter
    .countFailures(
      [{ policy: RATE_LIMITS['known-password'], key }, dayCounter(account.email, account, client)],
      () => passwords.matches(password, account.passwordHash, requester),
      (matches) => !matches,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, { rate_limited: events.limited }, key, about))
  if (!isKnown) await store.audit.record({ event: events.wrong, ...about })
  return { account, isCorrect: isKnown }
}
