import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import type { RateLimiter } from '../../domain/limits/policy.ts'
import { maskEmail } from '../../domain/text.ts'
import { loginCounters } from './password-failures.ts'

type Guess = {
  /** The normalized e-mail address that the password was sent with */
  email: string
  isWrong: boolean
}

/**
 * Counts and records a body that may be a guess of a password like a login. The caller reveals whether it was right only
 * afterwards.
 *
 * @throws Failure 429 `rate_limited` if too many were wrong, also for a right one
 */
export async function countGuess(
  { email, isWrong }: Guess,
  { client, rateLimiter }: { client: Client; rateLimiter: RateLimiter },
  { store }: Pick<Context, 'store'>,
): Promise<void> {
  const account = await store.accounts.loginCredentials(email, client.network)
  const about = { ...(account && { accountId: account.id }), ...toAuditContext(client, maskEmail(email)) }
  await rateLimiter
    .countFailures(
      loginCounters(email, account, client),
      () => Promise.resolve(isWrong),
      (wrong) => wrong,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, { rate_limited: 'login_limited' }, email, about))
  if (isWrong) await store.audit.record({ event: 'login_failed', ...about })
}
