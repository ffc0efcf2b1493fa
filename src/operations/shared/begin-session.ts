import type { Context } from '../../context.ts'
import type { Client, Data } from '../../contract.ts'
import type { Credentials } from '../../domain/account.ts'

type Tokens = Data<'login'>

/**
 * Begins a session of an account and returns its first tokens.
 *
 * @param account with the hash that the password was compared with
 * @returns undefined when the password has changed or the account was suspended since the comparison
 */
export async function beginSession(
  { id: accountId, email, passwordHash }: Pick<Credentials, 'id' | 'email' | 'passwordHash'>,
  { address, userAgent }: Client,
  context: Context,
): Promise<Tokens | undefined> {
  const sessionId = await context.store.sessions.begin({ accountId, passwordHash, address, userAgent })
  return sessionId === undefined ? undefined : tokensOf({ accountId, email, sessionId, generation: 0 }, context)
}

type Continued = { accountId: number; email: string; sessionId: string; generation: number }

/** The tokens of a session whose refresh token was exchanged so often. */
export function tokensOf(
  { accountId, email, sessionId, generation }: Continued,
  { tokens, refreshTokens }: Context,
): Tokens {
  return {
    account: { email, token: tokens.issue({ accountId, sessionId }) },
    session: { expires_in: tokens.lifeSeconds, refresh_token: refreshTokens.issue({ sessionId, generation }) },
  }
}
