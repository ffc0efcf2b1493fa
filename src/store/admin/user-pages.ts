import type pg from 'pg'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { UserRow, UserSearch } from '../../domain/accounts/administration.ts'
import { query, queryOnlyRow } from '../../database/query.ts'
import { below, conditions, FOUND, PAGE, USER, type Found, type UserFilters } from './user-rows.ts'
import { searchSql } from './user-search.ts'

/** The newest users that match, and the cursor of the next page */
export type UserPage = { users: UserRow[]; next: number | undefined }

const ALL_SEARCHED = Prisma.raw('searched_from AS (SELECT 0 AS id)')

/** Reads a page of users: the newest ones, those with an exact identifier, or those that the index of searches finds. */
export async function readUserPage(pool: pg.Pool, filters: UserFilters, limit: number): Promise<UserPage> {
  const { search, accountType, status, reviewStatus } = filters
  const read = async (sql: Prisma.Sql): Promise<UserPage> => {
    const found = query(FOUND, () => sql.text)
    return toPage(await queryOnlyRow(pool, found, ...sql.values), limit)
  }
  if (!search && !accountType && !status && !reviewStatus) return read(newestSql(filters, limit))
  const exact = search && isIdentifier(search) ? await read(exactSql(filters, search, limit)) : undefined
  return exact && exact.users.length > 0 ? exact : read(searchSql(filters, limit))
}

function toPage({ users, searchedFrom }: Found, limit: number): UserPage {
  const page = users.slice(0, limit)
  if (users.length > limit) return { users: page, next: page.at(-1)?.id }
  return { users: page, next: searchedFrom > 0 ? searchedFrom : undefined }
}

function isIdentifier({ email, digits }: UserSearch): boolean {
  return digits !== undefined || email.includes('@')
}

/**
 * Reads one row more than the page, to detect that another page follows. The ids are read first: a join of the tables in
 * this order would read the profiles of all accounts above the page.
 */
function newestSql({ before }: UserFilters, limit: number): Prisma.Sql {
  return Prisma.sql`
    WITH ${ALL_SEARCHED}, found AS (
      SELECT ${USER} WHERE a.id = ANY (ARRAY(
        SELECT account_id FROM profiles WHERE ${below('account_id', before)} ORDER BY account_id DESC LIMIT ${limit + 1}))
      ORDER BY a.id DESC)
    SELECT ${PAGE}`
}

/** Finds the accounts whose e-mail address or phone number is the whole search. */
function exactSql(filters: UserFilters, { email, digits }: UserSearch, limit: number): Prisma.Sql {
  const { sql } = Prisma
  const isPhone = digits === undefined ? sql`FALSE` : sql`a.phone = ${`+${digits}`}`
  return sql`
    WITH ${ALL_SEARCHED}, found AS (
      SELECT ${USER} JOIN account_search k ON k.account_id = a.id
      WHERE (a.email = ${email} OR ${isPhone}) AND ${conditions(filters)} ORDER BY a.id DESC LIMIT ${limit + 1})
    SELECT ${PAGE}`
}
