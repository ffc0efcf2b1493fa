import type pg from 'pg'
import type { AccountState, AccountStatus, UserRow, UserSearch } from '../../domain/accounts/administration.ts'
import type { FactorState } from '../../domain/factors/required-factor.ts'
import type { Profile } from '../../domain/profiles/profile.ts'
import { DUPLICATE_IDS } from './duplicates.ts'
import {
  column,
  nameStatement,
  outerTable,
  pick,
  query,
  queryOnlyRow,
  queryRow,
  queryRows,
  table,
  type Columns,
} from '../../database/sql.ts'
import { HAS_VOUCHED_FACTOR } from '../factors/state.ts'
import { PROFILE } from '../profiles/columns.ts'
import { IS_ACTIVE, LIVES } from '../sessions/state.ts'
import { FROM, type UserFilters, conditions, FOUND, PAGE, USER, type Found, scanSql } from './user-search.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { indexSql, isIndexed, NOTHING_SEARCHED } from './user-index.ts'
import type { StoreParts } from '../changes.ts'

export type Users = {
  /**
   * Returns the newest users that match, at most `limit`, and the cursor of the next page. A page can have fewer users
   * although another one follows: a page of a search compares a bounded number of accounts, and the next one continues from there.
   */
  list(filters: UserFilters, limit: number): Promise<UserPage>
  /** Returns a user with the complete profile. */
  byId(id: number): Promise<UserDetails | undefined>
  administrators(): Promise<Administrator[]>
}

/** For clients, `reviewVersion` is null and `duplicateIds` is empty. */
export type UserDetails = Profile & AccountState & { reviewVersion: number | null; duplicateIds: number[] }

type Administrator = FactorState & { id: number; email: string; status: AccountStatus }

const a = table('Account', 'a')
const l = outerTable('LawyerProfile', 'l')

/** The state of the account `a` */
export const STATE: Columns<AccountState> = {
  ...pick(a, 'id', 'status', 'isAdmin', 'createdAt', 'suspendedAt', 'suspensionReason'),
  sessions: column(`(SELECT count(*)::int FROM sessions s WHERE account_id = a.id AND ${LIVES} AND ${IS_ACTIVE})`),
}

const BY_ID = query<UserDetails>(
  { ...PROFILE, ...STATE, reviewVersion: l.reviewVersion, duplicateIds: DUPLICATE_IDS },
  (list) => `SELECT ${list} ${FROM} WHERE a.id = $1`,
)

const ADMINISTRATORS = query<Administrator>(
  { id: a.id, email: a.email, status: a.status, hasFactor: HAS_VOUCHED_FACTOR },
  (list) => `SELECT ${list} FROM accounts a WHERE a.is_admin ORDER BY a.id`,
)

export function users({ pool }: StoreParts): Users {
  return {
    list: (filters, limit) => readUserPage(pool, filters, limit),
    byId: (id) => queryRow(pool, BY_ID, id),
    administrators: () => queryRows(pool, ADMINISTRATORS),
  }
}

/** The newest users that match, and the cursor of the next page */
export type UserPage = { users: UserRow[]; next: number | undefined }

/** How many accounts a page compares, with the index as well and without it. Limits the time of a page. */
const ACCOUNTS_WITH_INDEX = 1500
const ACCOUNTS_WITHOUT_INDEX = 2500

/**
 * Reads a page of users: those with an exact identifier, or the newest ones that match. Frequent texts are found among the
 * newest accounts, and rare ones by the index.
 */
export async function readUserPage(pool: pg.Pool, filters: UserFilters, limit: number): Promise<UserPage> {
  const { search } = filters
  const read = async (sql: Prisma.Sql, name?: string): Promise<UserPage> => {
    const found = query(FOUND, () => sql.text, name)
    return toPage(await queryOnlyRow(pool, found, ...sql.values), limit)
  }
  if (isInOrder(filters)) {
    const sql = indexedSql(filters, Prisma.sql`TRUE`, limit)
    return read(sql, nameStatement(sql.text)) // a search is planned for its text
  }
  if (!search || !isIndexed(search)) return read(scanSql(filters, ACCOUNTS_WITHOUT_INDEX, limit))
  const exact = isIdentifier(search) ? await read(indexedSql(filters, isExactly(search), limit)) : undefined
  if (exact && exact.users.length > 0) return exact
  const newest = await read(scanSql(filters, ACCOUNTS_WITH_INDEX, limit))
  if (newest.users.length === limit || newest.next === undefined) return newest
  const indexed = await read(indexSql(filters, search, limit))
  return indexed.next === NOTHING_SEARCHED ? newest : indexed
}

function toPage({ users, searchedFrom }: Found, limit: number): UserPage {
  const page = users.slice(0, limit)
  if (users.length > limit) return { users: page, next: page.at(-1)?.id }
  return { users: page, next: searchedFrom > 0 ? searchedFrom : undefined }
}

/** Returns whether an index has the users that match, and no others, in the order of the page. */
function isInOrder({ search, status, reviewStatus }: UserFilters): boolean {
  return search === undefined && status === undefined && reviewStatus === undefined
}

function isIdentifier({ email, digits }: UserSearch): boolean {
  return digits !== undefined || email.includes('@')
}

/** Finds the accounts whose e-mail address or phone number is the whole search. */
function isExactly({ email, digits }: UserSearch): Prisma.Sql {
  const isPhone = digits === undefined ? Prisma.sql`FALSE` : Prisma.sql`a.phone = ${`+${digits}`}`
  return Prisma.sql`(a.email = ${email} OR ${isPhone})`
}

/** Selects the newest accounts with a condition that an index finds, so that no number of accounts limits it. */
function indexedSql(filters: UserFilters, condition: Prisma.Sql, limit: number): Prisma.Sql {
  return Prisma.sql`
    WITH searched_from AS (SELECT 0 AS id), found AS (
      SELECT ${USER} WHERE ${condition} AND ${conditions(filters)} ORDER BY a.id DESC LIMIT ${limit + 1})
    SELECT ${PAGE}`
}
