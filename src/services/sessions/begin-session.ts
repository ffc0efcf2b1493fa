import type { Context } from '../../context.ts'
import type { Client, Data } from '../../contract/operation.ts'
import type { Credentials } from '../../domain/accounts/account.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'

type Tokens = Data<'login'>

/**
 * Starts a session, records the login and returns the first tokens.
 *
 * @param account the account, with the hash that the password was compared with
 * @returns undefined when the password has changed or the account was suspended since the comparison
 */
export async function beginSession(
  { id: accountId, email, passwordHash }: Pick<Credentials, 'id' | 'email' | 'passwordHash'>,
  { client: { address, userAgent }, auditContext }: { client: Client; auditContext: AuditContext },
  context: Context,
): Promise<Tokens | undefined> {
  const session = { accountId, passwordHash, address, userAgent }
  const sessionId = await context.store.sessions.begin(session, auditContext)
  return sessionId === undefined ? undefined : issueTokens({ accountId, email, sessionId, generation: 0 }, context)
}

type Continued = { accountId: number; email: string; sessionId: string; generation: number }

/** Issues the tokens of a session for a generation, the number of refreshes so far. */
export function issueTokens(
  { accountId, email, sessionId, generation }: Continued,
  { tokens, refreshTokens }: Context,
): Tokens {
  return {
    account: { email, token: tokens.issue({ accountId, sessionId }) },
    session: { expires_in: tokens.lifeSeconds, refresh_token: refreshTokens.issue({ sessionId, generation }) },
  }
}
