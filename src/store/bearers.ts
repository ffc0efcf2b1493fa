import type { Bearer } from '../domain/account.ts'
import type { Account } from '../domain/account.ts'
import type { Profile } from '../domain/profile.ts'
import type { SessionAge } from '../domain/recent-authentication.ts'
import { AUTHENTICATION_AGE } from './authentication-age.ts'
import { batched } from './batched.ts'
import type { Database } from './database.ts'
import { ACCOUNT, PROFILE, WHOLE_PROFILE } from './profile-columns.ts'

/** The state behind access tokens, which every request reads together with its data. */
export type Bearers = {
  /** The account behind a token; undefined when the session has ended or the account may not be used. */
  account(bearer: Bearer): Promise<(Account & SessionAge) | undefined>
  /** The same with its profile, in one query. */
  profile(bearer: Bearer): Promise<Profile | undefined>
  /** The same with what is kept of a lawyer whose account is a client's now. */
  wholeProfile(bearer: Bearer): Promise<(Profile & SessionAge) | undefined>
}

/** The state behind a token and the data that was asked for, in one query. */
const LIVE = `FROM sessions s JOIN accounts a ON a.id = s.account_id`
const PROFILES = `JOIN profiles p ON p.account_id = a.id`
const WHERE_LIVE = `WHERE s.id = ANY($1::uuid[]) AND s.ended_at IS NULL AND a.status = 'active'`

type Keyed<Value> = Value & { key: string }

export function bearers({ pool }: Database): Bearers {
  const readAccount = batched<Keyed<Account & SessionAge>>(
    pool,
    'session-account',
    `SELECT s.id AS key, ${AUTHENTICATION_AGE}, ${ACCOUNT} ${LIVE} ${WHERE_LIVE}`,
  )
  const readProfile = batched<Keyed<Profile>>(
    pool,
    'session-profile',
    `SELECT s.id AS key, ${PROFILE} ${LIVE} ${PROFILES} ${WHERE_LIVE}`,
  )
  const readWholeProfile = batched<Keyed<Profile & SessionAge>>(
    pool,
    'session-whole-profile',
    `SELECT s.id AS key, ${AUTHENTICATION_AGE}, ${WHOLE_PROFILE} ${LIVE} ${PROFILES} ${WHERE_LIVE}`,
  )
  return {
    account: async (bearer) => ofAccount(bearer, await readAccount(bearer.sessionId)),
    profile: async (bearer) => ofAccount(bearer, await readProfile(bearer.sessionId)),
    wholeProfile: async (bearer) => ofAccount(bearer, await readWholeProfile(bearer.sessionId)),
  }
}

/** A token is good for the account that it names and for no other. */
function ofAccount<Row extends Account>({ accountId }: Bearer, row: Row | undefined): Row | undefined {
  return row?.id === accountId ? row : undefined
}
