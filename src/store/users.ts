import { Prisma } from '../../generated/prisma/client.ts'
import { LIMITS } from '../../generated/limits.ts'
import type { AccountState, AccountStatus, UserRow, UserSearch } from '../domain/administration.ts'
import type { AccountType } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { Profile, ReviewStatus } from '../domain/profile.ts'
import type { Database } from './database.ts'
import { DUPLICATE_OF } from './duplicates.ts'
import { foldedSql } from './folded-sql.ts'
import { ACCOUNT, PROFILE } from './profile-columns.ts'
import { LIVES } from './sessions.ts'

export type UserFilters = Readonly<{
  search: UserSearch | undefined
  accountType: AccountType | undefined
  status: AccountStatus | undefined
  reviewStatus: ReviewStatus | undefined
  /** Only users whose ids are below */
  before: number | undefined
}>

export type Users = {
  /**
   * The newest users that the filters leave, at most `limit`, and the id that the next page is below of. A search gives
   * up after so many accounts, and goes on from there with the next page.
   */
  list(filters: UserFilters, limit: number): Promise<{ users: UserRow[]; next: number | undefined }>
  /** A user with the whole profile */
  byId(id: number): Promise<UserDetails | undefined>
  administrators(): Promise<{ id: number; email: string; status: AccountStatus }[]>
}

/** For clients `reviewVersion` is null, and `duplicateOf` empty. */
export type UserDetails = Profile & AccountState & { reviewVersion: number | null; duplicateOf: number[] }

const SEARCHED_MAX = LIMITS.administration.search_accounts

/** The state of the account `a`. `$1` is by how many seconds the clock of the service is ahead. */
export const STATE = `a.id, a.status, a.is_admin AS "isAdmin", a.created_at AS "createdAt", a.suspended_at AS "suspendedAt",
  a.suspension_reason AS "suspensionReason",
  (SELECT count(*)::int FROM sessions WHERE account_id = a.id AND ${LIVES}) AS sessions`

const BY_ID = `
  SELECT ${PROFILE}, ${STATE}, l.review_version AS "reviewVersion", ${DUPLICATE_OF} AS "duplicateOf"
  FROM accounts a JOIN profiles p ON p.account_id = a.id
    LEFT JOIN lawyer_profiles l ON l.account_id = a.id AND a.account_type = 'lawyer'
  WHERE a.id = $2`

const ROW =
  Prisma.raw(`${ACCOUNT}, p.name, a.phone, a.phone_code AS "phoneCode", a.phone_verified_at IS NOT NULL AS "phoneVerified",
  a.status, a.created_at AS "createdAt", p.gender, l.national_id AS "nationalId", l.review_status AS "reviewStatus"`)

export function users({ prisma, pool }: Database, clock: Clock): Users {
  return {
    async list(filters, limit) {
      const [page] = await prisma.$queryRaw<[Page]>(pageSql(filters, limit))
      const users = page.found.slice(0, limit).map((row) => ({ ...row, createdAt: new Date(row.createdAt) }))
      if (page.found.length > limit) return { users, next: users.at(-1)?.id }
      return { users, next: page.looked === SEARCHED_MAX ? page.last : undefined }
    },
    async byId(id) {
      return (await pool.query<UserDetails>(BY_ID, [clock.shiftMs() / 1000, id])).rows[0]
    },
    async administrators() {
      const select = { id: true, email: true, status: true } as const
      return prisma.account.findMany({ where: { isAdmin: true }, select, orderBy: { id: 'asc' } })
    },
  }
}

/** `looked` accounts were looked at, `last` at last. */
type Page = { found: (Omit<UserRow, 'createdAt'> & { createdAt: string })[]; looked: number; last: number }

/** One more than there may be tells that there is another page. */
function pageSql(filters: UserFilters, limit: number): Prisma.Sql {
  const { search } = filters
  return Prisma.sql`
    WITH looked_at AS MATERIALIZED (
      SELECT ${ROW} FROM accounts a JOIN profiles p ON p.account_id = a.id
        LEFT JOIN lawyer_profiles l ON l.account_id = a.id AND a.account_type = 'lawyer'
      WHERE ${Prisma.join(conditions(filters), ' AND ')}
      ORDER BY a.id DESC LIMIT ${search ? SEARCHED_MAX : limit + 1}),
    found AS (
      SELECT * FROM looked_at WHERE ${search ? matches(search) : Prisma.sql`TRUE`} ORDER BY id DESC LIMIT ${limit + 1})
    SELECT (SELECT coalesce(json_agg(found ORDER BY id DESC), '[]') FROM found) AS found,
      (SELECT count(*)::int FROM looked_at) AS looked, (SELECT min(id) FROM looked_at) AS last`
}

/** Each has an index in the order of the ids. */
function conditions({ accountType, status, reviewStatus, before }: UserFilters): Prisma.Sql[] {
  const { sql } = Prisma
  const below = before === undefined ? [] : [sql`a.id < ${before}::bigint`]
  return [
    sql`TRUE`,
    ...below,
    ...(accountType === undefined ? [] : [sql`a.account_type = ${accountType}::"AccountType"`]),
    ...(status === undefined ? [] : [sql`a.status = ${status}::"AccountStatus"`]),
    ...(reviewStatus === undefined ? [] : [sql`l.review_status = ${reviewStatus}::"ReviewStatus"`]),
    ...(reviewStatus === undefined || before === undefined ? [] : [sql`l.account_id < ${before}::bigint`]),
  ]
}

function matches({ name, email, digits }: UserSearch): Prisma.Sql {
  const { sql } = Prisma
  const texts = [sql`strpos(${Prisma.raw(foldedSql('name'))}, ${name}) > 0`, sql`strpos(email, ${email}) > 0`]
  return Prisma.join([...texts, ...(digits === undefined ? [] : [sql`strpos(phone, ${digits}) > 0`])], ' OR ', '(', ')')
}
