import { Prisma } from '../../../generated/prisma/client.ts'
import type { UserSearch, AccountStatus, UserRow } from '../../domain/accounts/administration.ts'
import type { AccountType } from '../../domain/accounts/account.ts'
import type { ReviewStatus } from '../../domain/profiles/profile.ts'
import { column, columnsIn, isNotNull, outerTable, select, table, type Columns } from '../../database/sql.ts'
import { jsonRows, jsonTime } from '../../database/json-columns.ts'
import { ACCOUNT } from '../profiles/columns.ts'

const { sql, raw } = Prisma

export type UserFilters = Readonly<{
  search: UserSearch | undefined
  accountType: AccountType | undefined
  status: AccountStatus | undefined
  reviewStatus: ReviewStatus | undefined
  /** Only users with lower ids */
  before: number | undefined
}>

const a = table('Account', 'a')
const p = table('Profile', 'p')
const l = outerTable('LawyerProfile', 'l')

/** The data of a lawyer is stored, but not shown, after the account has changed to a client. */
export const FROM = `FROM accounts a JOIN profiles p ON p.account_id = a.id
  LEFT JOIN lawyer_profiles l ON l.account_id = a.id AND a.account_type = 'lawyer'`

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
/** The select list and the tables of a user */
export const USER = raw(`${select(ROW).list} ${FROM}`)

/** The users of a page and one more, if there is one. Accounts below the id `searchedFrom` were not searched. */
export type Found = { users: UserRow[]; searchedFrom: number }

export const FOUND: Columns<Found> = {
  users: jsonRows<UserRow>(
    columnsIn('found', { ...ROW, createdAt: jsonTime(ROW.createdAt) }),
    'FROM found ORDER BY id DESC',
  ),
  searchedFrom: column('(SELECT id::int FROM searched_from)'),
}

export const PAGE = raw(select(FOUND).list)

/** Returns the conditions of the filters. */
export function conditions({ accountType, status, reviewStatus, before }: UserFilters): Prisma.Sql {
  const all = [
    below('a.id', before),
    ...(accountType === undefined ? [] : [sql`a.account_type = ${accountType}::"AccountType"`]),
    ...(status === undefined ? [] : [sql`a.status = ${status}::"AccountStatus"`]),
    ...(reviewStatus === undefined ? [] : [sql`l.review_status = ${reviewStatus}::"ReviewStatus"`]),
  ]
  return Prisma.join(all, ' AND ')
}

export function below(id: string, before: number | undefined): Prisma.Sql {
  return before === undefined ? sql`TRUE` : sql`${raw(id)} < ${before}::bigint`
}

/** A number with more digits is no id. */
const ID_DIGITS_MAX = 10

/** Compares a number of accounts, the newest first, until the page is full. */
export function scanSql(filters: UserFilters, accounts: number, limit: number): Prisma.Sql {
  const newest = sql`${source(filters)} ORDER BY id DESC LIMIT ${accounts}`
  return sql`
    WITH searched_from AS (
      SELECT CASE count(*) WHEN ${accounts} THEN min(id) ELSE 0 END AS id FROM (${newest}) AS newest),
    ${found(newest, filters, limit)}
    SELECT ${PAGE}`
}

/**
 * Selects the ids of the accounts with one value of the filters, in the order of an index. The number of its rows is limited
 * before they are compared with the other filters, because all of them can be rare together.
 */
function source({ accountType, status, reviewStatus, before }: UserFilters): Prisma.Sql {
  const accounts = (condition: Prisma.Sql): Prisma.Sql =>
    sql`SELECT id FROM accounts WHERE ${condition} AND ${below('id', before)}`
  const profiles = (table: string, condition: Prisma.Sql): Prisma.Sql =>
    sql`SELECT account_id AS id FROM ${raw(table)} WHERE ${condition} AND ${below('account_id', before)}`
  if (reviewStatus !== undefined)
    return profiles('lawyer_profiles', sql`review_status = ${reviewStatus}::"ReviewStatus"`)
  if (status === 'suspended') return accounts(sql`status = 'suspended'`)
  if (accountType !== undefined) return accounts(sql`account_type = ${accountType}::"AccountType"`)
  return profiles('profiles', sql`TRUE`)
}

/**
 * Selects the users among some accounts that match. OFFSET makes PostgreSQL read the accounts one by one, in their order,
 * until the page is full.
 */
export function found(ids: Prisma.Sql, filters: UserFilters, limit: number): Prisma.Sql {
  return sql`
    found AS (
      SELECT ${USER} WHERE a.id = ANY (ARRAY(
        SELECT s.id FROM (${ids}) AS s CROSS JOIN LATERAL (
          SELECT ${raw(FROM)} WHERE a.id = s.id AND ${conditions(filters)} AND ${matches(filters.search)} OFFSET 0) AS matching
        ORDER BY s.id DESC LIMIT ${limit + 1})))`
}

function matches(search: UserSearch | undefined): Prisma.Sql {
  if (!search) return sql`TRUE`
  const { name: text, digits } = search
  const inText = sql`strpos(fold_text(p.name), ${text}) > 0 OR strpos(fold_text(a.email), ${text}) > 0`
  if (digits === undefined) return sql`(${inText})`
  return sql`(${inText} OR strpos(a.phone, ${digits}) > 0 OR ${isId('a.id', search)})`
}

/** Returns whether the search is the id of an account. */
export function isId(id: string, { name, digits }: UserSearch): Prisma.Sql {
  return digits === name && digits.length <= ID_DIGITS_MAX ? sql`${raw(id)} = ${digits}::bigint` : sql`FALSE`
}
