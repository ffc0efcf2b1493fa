import type { Context } from '../../context.ts'
import type { Client, Data } from '../../contract.ts'

type Tokens = Data<'login'>

/** Begins a session of an account, for who asks; gives its first tokens. */
export async function beginSession(
  { id: accountId, email }: { id: number; email: string },
  { address, userAgent }: Client,
  context: Context,
): Promise<Tokens> {
  const sessionId = await context.store.sessions.begin({ accountId, address, userAgent })
  return tokensOf({ accountId, email, sessionId, generation: 0 }, context)
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
