import type pg from 'pg'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { UserRow, UserSearch } from '../../domain/accounts/administration.ts'
import { query, queryOnlyRow } from '../../database/query.ts'
import { conditions, FOUND, PAGE, USER, type Found, type UserFilters } from './user-rows.ts'
import { indexSql, isIndexed, NOTHING_SEARCHED } from './user-index.ts'
import { scanSql } from './user-search.ts'

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
  const read = async (sql: Prisma.Sql): Promise<UserPage> => {
    const found = query(FOUND, () => sql.text)
    return toPage(await queryOnlyRow(pool, found, ...sql.values), limit)
  }
  if (!search || !isIndexed(search)) return read(scanSql(filters, ACCOUNTS_WITHOUT_INDEX, limit))
  const exact = isIdentifier(search) ? await read(exactSql(filters, search, limit)) : undefined
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

function isIdentifier({ email, digits }: UserSearch): boolean {
  return digits !== undefined || email.includes('@')
}

/** Finds the accounts whose e-mail address or phone number is the whole search. */
function exactSql(filters: UserFilters, { email, digits }: UserSearch, limit: number): Prisma.Sql {
  const { sql } = Prisma
  const isPhone = digits === undefined ? sql`FALSE` : sql`a.phone = ${`+${digits}`}`
  return sql`
    WITH searched_from AS (SELECT 0 AS id), found AS (
      SELECT ${USER} WHERE (a.email = ${email} OR ${isPhone}) AND ${conditions(filters)} ORDER BY a.id DESC LIMIT ${limit + 1})
    SELECT ${PAGE}`
}
