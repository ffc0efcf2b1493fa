import type { Account, Bearer } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import type { FactorState } from '../../domain/factors/required-factor.ts'
import type { Profile } from '../../domain/profiles/profile.ts'
import type { SessionAge } from '../../domain/sessions/recent-authentication.ts'
import { AUTHENTICATION_AGE } from '../sessions/begin.ts'
import { batched } from '../../database/batching.ts'
import { select, table, type Columns } from '../../database/columns.ts'
import { query } from '../../database/query.ts'
import { HAS_FACTOR } from '../factors/state.ts'
import { ACCOUNT, PROFILE, WHOLE_PROFILE } from '../profiles/columns.ts'
import type { StoreParts } from '../changes.ts'

/**
 * Reads of the account of an access token, with the state of its session.
 *
 * All throw Failure 401 `token_revoked` if the session was revoked or the account is suspended.
 */
export type AccessState = {
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

const LIVE = `FROM sessions s JOIN accounts a ON a.id = s.account_id`
const PROFILES = `JOIN profiles p ON p.account_id = a.id`
const WHERE_LIVE = `WHERE s.id = ANY($1::uuid[]) AND s.ended_at IS NULL AND a.status = 'active'`

/** A row with the id of its session as the key of `batched`. */
type Keyed<Value> = Value & { key: string }
const KEY: Columns<{ key: string }> = { key: table('Session', 's').id }

const BY_SESSION = query(
  select<Keyed<Account>>({ ...KEY, ...ACCOUNT }),
  (list) => `SELECT ${list} ${LIVE} ${WHERE_LIVE}`,
  'session-account',
)
const PROVEN_BY_SESSION = query(
  select<Keyed<BearerAccount>>({ ...KEY, ...AUTHENTICATION_AGE, hasFactor: HAS_FACTOR, ...ACCOUNT }),
  (list) => `SELECT ${list} ${LIVE} ${WHERE_LIVE}`,
  'session-proven-account',
)
const PROFILE_BY_SESSION = query(
  select<Keyed<Profile>>({ ...KEY, ...PROFILE }),
  (list) => `SELECT ${list} ${LIVE} ${PROFILES} ${WHERE_LIVE}`,
  'session-profile',
)
const WHOLE_PROFILE_BY_SESSION = query(
  select<Keyed<Profile & SessionAge>>({ ...KEY, ...AUTHENTICATION_AGE, ...WHOLE_PROFILE }),
  (list) => `SELECT ${list} ${LIVE} ${PROFILES} ${WHERE_LIVE}`,
  'session-whole-profile',
)

export function accessState({ pool }: StoreParts): AccessState {
  const readAccount = batched(pool, BY_SESSION)
  const readProven = batched(pool, PROVEN_BY_SESSION)
  const readProfile = batched(pool, PROFILE_BY_SESSION)
  const readWholeProfile = batched(pool, WHOLE_PROFILE_BY_SESSION)
  return {
    account: async (bearer) => requireAccount(bearer, await readAccount(bearer.sessionId)),
    proven: async (bearer) => requireAccount(bearer, await readProven(bearer.sessionId)),
    ofSession: readProven,
    profile: async (bearer) => requireAccount(bearer, await readProfile(bearer.sessionId)),
    wholeProfile: async (bearer) => requireAccount(bearer, await readWholeProfile(bearer.sessionId)),
  }
}

/** Returns the row only if it belongs to the account that the token names. */
function requireAccount<Row extends Account>({ accountId }: Bearer, row: Row | undefined): Row {
  if (row?.id !== accountId) throw new Failure('token_revoked')
  return row
}
