import type { Bearer } from '../domain/account.ts'
import type { Account } from '../domain/account.ts'
import type { Profile } from '../domain/profile.ts'
import { batched } from './batched.ts'
import type { Database } from './database.ts'

export type Sessions = {
  /** Begins a session; gives its id. */
  begin(session: { accountId: number; address: string; userAgent: string | undefined }): Promise<string>
  /** The account behind a token; undefined when the session has ended or the account may not be used. */
  account(bearer: Bearer): Promise<Account | undefined>
  /** The same with its profile, in one query. */
  profile(bearer: Bearer): Promise<Profile | undefined>
}

const ACCOUNT = `a.id, a.email, a.account_type AS "accountType", a.is_admin AS "isAdmin"`
const PROFILE = `a.phone, a.phone_code AS "phoneCode", a.phone_verified AS "phoneVerified", p.name, p.gender,
  p.country_id AS "countryId", p.region_id AS "regionId", p.city_id AS "cityId", p.nationality_id AS "nationalityId",
  p.type, p.longitude, p.latitude`
/** The state behind a token and the data that was asked for, in one query. */
const LIVE = `FROM sessions s JOIN accounts a ON a.id = s.account_id`
const WHERE_LIVE = `WHERE s.id = ANY($1::uuid[]) AND s.ended_at IS NULL AND a.status = 'active'`

type Keyed<Value> = Value & { key: string }

export function sessions({ prisma, pool }: Database): Sessions {
  const readAccount = batched<Keyed<Account>>(
    pool,
    'session-account',
    `SELECT s.id AS key, ${ACCOUNT} ${LIVE} ${WHERE_LIVE}`,
  )
  const readProfile = batched<Keyed<Profile>>(
    pool,
    'session-profile',
    `SELECT s.id AS key, ${ACCOUNT}, ${PROFILE} ${LIVE} JOIN profiles p ON p.account_id = a.id ${WHERE_LIVE}`,
  )
  return {
    async begin({ accountId, address, userAgent }) {
      const data = { accountId, address, userAgent: userAgent ?? null }
      const { id } = await prisma.session.create({ data, select: { id: true } })
      return id
    },
    account: async (bearer) => ofAccount(bearer, await readAccount(bearer.sessionId)),
    profile: async (bearer) => ofAccount(bearer, await readProfile(bearer.sessionId)),
  }
}

/** A token is good for the account that it names and for no other. */
function ofAccount<Row extends Account>({ accountId }: Bearer, row: Row | undefined): Row | undefined {
  return row?.id === accountId ? row : undefined
}
