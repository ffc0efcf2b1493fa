import type { Context } from '../../context.ts'
import type { Client, Data } from '../../contract/operation.ts'
import type { Bearer, Credentials } from '../../domain/accounts/account.ts'
import type { Language } from '../../messages/index.ts'
import type { UnusedProof } from '../../domain/factors/second-factor.ts'
import { beginProven } from '../factors/proven-session.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'

type Tokens = Data<'login'>

type Proven = Pick<Credentials, 'id' | 'email' | 'passwordHash'>

type Login = Readonly<{
  client: Client
  language: Language
  auditContext: AuditContext
  /** undefined if the account has no second factor */
  proof?: UnusedProof | undefined
}>

/**
 * Starts a session, records the login and returns the first tokens.
 *
 * @param account the account, with the hash that it had when the password or the passkey was verified
 * @returns undefined when the proof was used, the password has changed, the account was suspended or got a second factor
 * since they were compared
 */
export async function beginSession(
  { id: accountId, email, passwordHash }: Proven,
  login: Login,
  context: Context,
): Promise<Tokens | undefined> {
  const { client, auditContext, proof } = login
  const session = { accountId, passwordHash, address: client.address, userAgent: client.userAgent }
  const sessionId = proof
    ? await beginProven(
        { ...session, proof },
        { event: 'login', email, begin: (proven) => context.store.factors.beginSession(proven), ...login },
        context,
      )
    : await context.store.sessions.begin(session, auditContext)
  return sessionId === undefined ? undefined : issueTokens({ accountId, email, sessionId, generation: 0 }, context)
}

/**
 * Replaces the session of a token after a reauthentication, and records it, like `beginSession`.
 *
 * @throws Failure 401 `token_revoked`
 */
export async function replaceSession(
  bearer: Bearer,
  { id: accountId, email, passwordHash }: Proven,
  login: Login,
  context: Context,
): Promise<Tokens | undefined> {
  const { client, auditContext, proof } = login
  const { store } = context
  const session = { accountId, passwordHash, address: client.address, userAgent: client.userAgent }
  const sessionId = proof
    ? await beginProven(
        { ...session, proof },
        { event: 'reauthenticated', email, begin: (proven) => store.factors.replaceSession(bearer, proven), ...login },
        context,
      )
    : await store.sessions.replace(bearer, session, auditContext)
  return sessionId === undefined ? undefined : issueTokens({ accountId, email, sessionId, generation: 0 }, context)
}

type Continued = { accountId: number; email: string; sessionId: string; generation: number; endsAtMs?: number }

/**
 * Issues the tokens of a session for a generation, the number of refreshes so far. The access token does not outlive the
 * session, which ends at `endsAtMs`; undefined for one that has just begun.
 */
export function issueTokens(
  { accountId, email, sessionId, generation, endsAtMs = Infinity }: Continued,
  { tokens, refreshTokens, clock }: Context,
): Tokens {
  const seconds = Math.min(tokens.lifeSeconds, Math.ceil((endsAtMs - clock.nowMs()) / 1000))
  return {
    account: { email, token: tokens.issue({ accountId, sessionId }, seconds) },
    session: { expires_in: seconds, refresh_token: refreshTokens.issue({ sessionId, generation }) },
  }
}

/**
 * Returns the network that limits on phone numbers and SMS count: an IPv4 address or an IPv6 /48, because one customer may
 * have all its /64s.
 */
export function toNetwork48({ network, wideNetworks }: Pick<Client, 'network' | 'wideNetworks'>): string {
  return wideNetworks[1] ?? network
}
