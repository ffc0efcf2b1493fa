import type { Context } from '../../context.ts'
import type { Data } from '../../contract/operation.ts'
import type { Bearer, Credentials } from '../../domain/accounts/account.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { UnusedProof } from '../../domain/factors/second-factor.ts'
import { announceProof, toProofRecords } from '../factors/notify.ts'
import type { RequestInfo } from '../notifications/mail.ts'

type Tokens = Data<'login'>

type Proven = Pick<Credentials, 'id' | 'email' | 'passwordHash'>

type Login = RequestInfo &
  Readonly<{
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
export function beginSession(account: Proven, login: Login, context: Context): Promise<Tokens | undefined> {
  const { sessions, factors } = context.store
  return openSession(
    account,
    { event: 'login', ...login },
    (session) => sessions.begin(session, login.auditContext),
    (session) => factors.beginSession(session),
    context,
  )
}

/**
 * Replaces the session of a token after a reauthentication, and records it, like `beginSession`.
 *
 * @throws Failure 401 `token_revoked`
 */
export function replaceAfterReauthentication(
  bearer: Bearer,
  account: Proven,
  login: Login,
  context: Context,
): Promise<Tokens | undefined> {
  const { sessions, factors } = context.store
  return openSession(
    account,
    { event: 'reauthenticated', ...login },
    (session) => sessions.replace(bearer, session, login.auditContext),
    (session) => factors.replaceWithProof(bearer, session),
    context,
  )
}

type Store = Context['store']
type Session = Parameters<Store['sessions']['begin']>[0]
type Recorded = Login & Readonly<{ event: 'login' | 'reauthenticated' }>

/**
 * @param begin stores the session of an account without a second factor
 * @param beginWithProof stores a session, and uses up the proof of a second factor or a passkey
 */
async function openSession(
  { id: accountId, email, passwordHash }: Proven,
  login: Recorded,
  begin: (session: Session) => Promise<string | undefined>,
  beginWithProof: Store['factors']['beginSession'],
  context: Context,
): Promise<Tokens | undefined> {
  const { client, proof } = login
  const session = { accountId, passwordHash, address: client.address, userAgent: client.userAgent }
  const sessionId = proof
    ? await beginProven({ ...session, email, proof }, login, beginWithProof, context)
    : await begin(session)
  return sessionId === undefined ? undefined : issueTokens({ accountId, email, sessionId, generation: 0 }, context)
}

/** Begins a session that a second factor has proven. The owner is notified of the use of a recovery code. */
async function beginProven(
  { email, ...session }: Session & { email: string; proof: UnusedProof },
  login: Recorded,
  beginWithProof: Store['factors']['beginSession'],
  context: Context,
): Promise<string | undefined> {
  const { accountId, proof } = session
  const about = { accountId, ...login.auditContext }
  const used = toProofRecords(proof, { accountId, email }, login, context)
  const begun = await beginWithProof({
    ...session,
    auditEvents: [{ event: login.event, ...about }, ...used.auditEvents],
    cancelEvent: { event: 'factor_reset_cancelled', ...about },
    mails: used.mails,
  })
  if (begun) announceProof(proof, begun.owner, login, context)
  return begun?.sessionId
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
    account: { email, token: tokens.issue({ accountId, sessionId, ...(generation > 0 && { generation }) }, seconds) },
    session: { expires_in: seconds, refresh_token: refreshTokens.issue({ sessionId, generation }) },
  }
}
