import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import type { Bearer, Credentials } from '../../domain/account.ts'
import { Failure } from '../../domain/failure.ts'
import type { Policy, Slate } from '../../domain/limit.ts'
import { accountRequester } from '../../domain/requester.ts'
import { traceOf, type EventName } from '../../domain/trace.ts'
import { failuresOfDay } from './password-failures.ts'

const FAILURES: Policy = {
  name: 'known-password',
  points: LIMITS.login.failures_per_account,
  seconds: LIMITS.login.account_minutes * 60,
}

type Asking = {
  bearer: Bearer
  password: string
  client: Client
  abandoned: AbortSignal
  slate: Slate
  /** What the audit trail calls a wrong password, and too many */
  events: { wrong: EventName; limited: EventName }
}

/**
 * Whether who has the token knows the password too: a try, counted and recorded.
 *
 * @throws Failure 401 `token_revoked`, 429 `rate_limited`
 */
export async function knowPassword(
  { bearer, password, client, abandoned, slate, events }: Asking,
  { store, passwords, limits }: Context,
): Promise<{ account: Credentials; isKnown: boolean }> {
  const account = await store.accounts.credentialsOf(bearer, client.network)
  if (!account) throw new Failure('token_revoked')
  const { accountId } = bearer
  const key = String(accountId)
  const about = { ...traceOf(client), accountId }
  const requester = accountRequester(accountId, abandoned)
  const isKnown = await limits
    .countFailures([{ policy: FAILURES, key }, failuresOfDay(account.email, account, client)], slate, () =>
      passwords.matches(password, account.passwordHash, requester),
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, { rate_limited: events.limited }, key, about))
  if (!isKnown) await store.audit.record({ event: events.wrong, ...about })
  return { account, isKnown }
}
