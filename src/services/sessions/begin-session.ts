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
  /** The session that a reauthentication replaces; undefined for a login */
  replaced?: Bearer
}>

/**
 * Starts a session, records the login or the reauthentication and returns the first tokens.
 *
 * @param account the account, with the hash that it had when the password or the passkey was verified
 * @returns undefined when the proof was used, the password has changed, the account was suspended or got a second factor
 * since they were compared
 * @throws Failure 401 `token_revoked` if the replaced session has ended
 */
export async function beginSession(
  { id: accountId, email, passwordHash }: Proven,
  { replaced, ...login }: Login,
  context: Context,
): Promise<Tokens | undefined> {
  const { client, auditContext, proof } = login
  const { factors, sessions } = context.store
  const session = { accountId, passwordHash, address: client.address, userAgent: client.userAgent }
  const event = replaced ? 'reauthenticated' : 'login'
  const begin = (proven: Parameters<typeof factors.beginSession>[0]): ReturnType<typeof factors.beginSession> =>
    replaced ? factors.replaceSession(replaced, proven) : factors.beginSession(proven)
  const beginUnproven = (): Promise<string | undefined> =>
    replaced ? sessions.replace(replaced, session, auditContext) : sessions.begin(session, auditContext)
  const sessionId = proof
    ? await beginProven({ ...session, proof }, { event, email, begin, ...login }, context)
    : await beginUnproven()
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
