import { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { AccountState, AccountStatus, UserRow, UserSearch } from '../../domain/accounts/administration.ts'
import type { AccountType } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Profile, ReviewStatus } from '../../domain/profiles/profile.ts'
import type { Database } from '../../database/index.ts'
import { DUPLICATE_IDS } from './duplicates.ts'
import { column, columnsIn, isNotNull, outerTable, select, table, type Columns } from '../../database/columns.ts'
import { foldedSql } from '../../database/folded-sql.ts'
import { jsonRows, jsonTime } from '../../database/json-columns.ts'
import { query, queryOnlyRow, queryRow } from '../../database/query.ts'
import { ACCOUNT, PROFILE } from '../profiles/columns.ts'
import { LIVES } from '../sessions/index.ts'

export type UserFilters = Readonly<{
  search: UserSearch | undefined
  accountType: AccountType | undefined
  status: AccountStatus | undefined
  reviewStatus: ReviewStatus | undefined
  /** Only users with lower ids */
  before: number | undefined
}>

export type Users = {
  /**
   * Returns the newest users that match, at most `limit`, and the cursor of the next page. A search stops after a fixed
   * number of accounts and continues from there with the next page.
   */
  list(filters: UserFilters, limit: number): Promise<{ users: UserRow[]; next: number | undefined }>
  /** Returns a user with the complete profile. */
  byId(id: number): Promise<UserDetails | undefined>
  administrators(): Promise<{ id: number; email: string; status: AccountStatus }[]>
}

/** For clients, `reviewVersion` is null and `duplicateIds` is empty. */
export type UserDetails = Profile & AccountState & { reviewVersion: number | null; duplicateIds: number[] }

const SEARCHED_MAX = LIMITS.administration.search_accounts

const a = table('Account', 'a')
const p = table('Profile', 'p')
const l = outerTable('LawyerProfile', 'l')

/** The state of the account `a`. `$1` is the number of seconds that the service clock is ahead of the database. */
export const STATE: Columns<AccountState> = {
  id: a.id,
  status: a.status,
  isAdmin: a.isAdmin,
  createdAt: a.createdAt,
  suspendedAt: a.suspendedAt,
  suspensionReason: a.suspensionReason,
  sessions: column(`(SELECT count(*)::int FROM sessions WHERE account_id = a.id AND ${LIVES})`),
}

const FROM = `FROM accounts a JOIN profiles p ON p.account_id = a.id
  LEFT JOIN lawyer_profiles l ON l.account_id = a.id AND a.account_type = 'lawyer'`

const BY_ID = query(
  select<UserDetails>({ ...PROFILE, ...STATE, reviewVersion: l.reviewVersion, duplicateIds: DUPLICATE_IDS }),
  (list) => `SELECT ${list} ${FROM} WHERE a.id = $2`,
)

const ROW: Columns<UserRow> = {
  ...ACCOUNT,
  name: p.name,
  phone: a.phone,
  phoneCode: a.phoneCode,
  phoneVerified: isNotNull(a.phoneVerifiedAt),
  status: a.status,
  createdAt: a.createdAt,
  gender: p.gender,
  nationalId: l.nationalId,
  reviewStatus: l.reviewStatus,
}

export function users({ prisma, pool }: Database, clock: Clock): Users {
  return {
    async list(filters, limit) {
      const { text, values } = pageSql(filters, limit)
      const pageQuery = query(PAGE, () => text)
      const page = await queryOnlyRow(pool, pageQuery, ...values)
      const users = page.found.slice(0, limit)
      if (page.found.length > limit) return { users, next: users.at(-1)?.id }
      return { users, next: page.looked === SEARCHED_MAX ? page.last : undefined }
    },
    async byId(id) {
      return queryRow(pool, BY_ID, clock.shiftMs() / 1000, id)
    },
    async administrators() {
      const select = { id: true, email: true, status: true } as const
      return prisma.account.findMany({ where: { isAdmin: true }, select, orderBy: { id: 'asc' } })
    },
  }
}

/** The matching users of the `looked` accounts that were searched; `last` is the lowest id of these accounts. */
type Page = { found: UserRow[]; looked: number; last: number }

const { list: LOOKED_AT } = select(ROW)

const PAGE = select<Page>({
  found: jsonRows<UserRow>(
    columnsIn('found', { ...ROW, createdAt: jsonTime(ROW.createdAt) }),
    'FROM found ORDER BY id DESC',
  ),
  looked: column(`(SELECT count(*)::int FROM looked_at)`),
  last: column(`(SELECT min(id) FROM looked_at)`),
})

/** Returns the query of a page. It reads one row more than the page, to detect that another page follows. */
function pageSql(filters: UserFilters, limit: number): Prisma.Sql {
  const { search } = filters
  return Prisma.sql`
    WITH looked_at AS MATERIALIZED (
      SELECT ${Prisma.raw(LOOKED_AT)} ${Prisma.raw(FROM)}
      WHERE ${Prisma.join(conditions(filters), ' AND ')}
      ORDER BY a.id DESC LIMIT ${search ? SEARCHED_MAX : limit + 1}),
    found AS (
      SELECT * FROM looked_at WHERE ${search ? matches(search) : Prisma.sql`TRUE`} ORDER BY id DESC LIMIT ${limit + 1})
    SELECT ${Prisma.raw(PAGE.list)}`
}

/** Returns the conditions of the filters. Each has an index in the order of the ids. */
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
