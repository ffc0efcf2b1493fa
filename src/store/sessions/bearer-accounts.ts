import type { Account, Bearer } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import type { FactorState } from '../../domain/factors/required-factor.ts'
import type { Profile } from '../../domain/profiles/profile.ts'
import type { SessionAge } from '../../domain/sessions/recent-authentication.ts'
import { AUTHENTICATION_AGE, IS_ACTIVE } from './state.ts'
import { batched } from '../../database/batching.ts'
import { query, table, type Columns, type Query } from '../../database/sql.ts'
import { HAS_VOUCHED_FACTOR } from '../factors/state.ts'
import { ACCOUNT, PROFILE, WHOLE_PROFILE } from '../profiles/columns.ts'
import type { StoreParts } from '../changes.ts'

/**
 * Reads of the account of an access token, with the state of its session.
 *
 * All throw Failure 401 `token_revoked` if the session was revoked or the account is suspended.
 */
export type BearerAccounts = {
  account(bearer: Bearer): Promise<Account>
  /** Like `account`, with the proofs of its session. */
  proven(bearer: Bearer): Promise<BearerAccount>
  /** Returns what `proven` does of a session without its token; undefined if the session has ended. */
  ofSession(sessionId: string): Promise<BearerAccount | undefined>
  profile(bearer: Bearer): Promise<Profile>
  /** Like `profile`, and includes the stored lawyer's data of an account that has changed to a client. */
  wholeProfile(bearer: Bearer): Promise<Profile & SessionAge>
}

/** The account of a session, with what operations can require of both */
export type BearerAccount = Account & SessionAge & FactorState

const KEY = { key: table('Session', 's').id }
const JOIN_PROFILES = 'JOIN profiles p ON p.account_id = a.id'

/** Returns a query of the accounts of active sessions for `batched`. */
function ofSessions<Row>(name: string, columns: Columns<Row>, join = ''): Query<Row> {
  return query(
    columns,
    (list) => `
      SELECT ${list} FROM sessions s JOIN accounts a ON a.id = s.account_id ${join}
      WHERE s.id = ANY($1::uuid[]) AND ${IS_ACTIVE}`,
    name,
  )
}

const PROOFS = { ...AUTHENTICATION_AGE, hasFactor: HAS_VOUCHED_FACTOR }
const BY_SESSION = ofSessions('session-account', { ...KEY, ...ACCOUNT })
const PROVEN_BY_SESSION = ofSessions('session-proven-account', { ...KEY, ...PROOFS, ...ACCOUNT })
const PROFILE_BY_SESSION = ofSessions('session-profile', { ...KEY, ...PROFILE }, JOIN_PROFILES)
const WHOLE_PROFILE_BY_SESSION = ofSessions(
  'session-whole-profile',
  { ...KEY, ...AUTHENTICATION_AGE, ...WHOLE_PROFILE },
  JOIN_PROFILES,
)

export function bearerAccounts({ pool }: StoreParts): BearerAccounts {
  const readProven = batched(pool, PROVEN_BY_SESSION)
  return {
    account: ofBearer(batched(pool, BY_SESSION)),
    proven: ofBearer(readProven),
    ofSession: readProven,
    profile: ofBearer(batched(pool, PROFILE_BY_SESSION)),
    wholeProfile: ofBearer(batched(pool, WHOLE_PROFILE_BY_SESSION)),
  }
}

type Read<Key, Row> = (key: Key) => Promise<Row>

/** Returns a read by token, of the row of its session only if that belongs to the account that the token names. */
function ofBearer<Row extends Account>(read: Read<string, Row | undefined>): Read<Bearer, Row> {
  return async ({ accountId, sessionId }) => {
    const row = await read(sessionId)
    if (row?.id !== accountId) throw new Failure('token_revoked')
    return row
  }
}
