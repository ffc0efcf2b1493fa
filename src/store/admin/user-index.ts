import { Prisma } from '../../../generated/prisma/client.ts'
import type { UserSearch } from '../../domain/accounts/administration.ts'
import { below, PAGE, type UserFilters, found, isId } from './user-search.ts'

const { sql, join, raw } = Prisma

/** The index finds parts of this length. */
const PART_LENGTH = 3
/** Further parts of a text hardly exclude any account. */
const PARTS_MAX = 8
/** The newest accounts, by which the frequency of parts is estimated */
const SAMPLE = 200
/** Accounts of the sample with the rarest part of a text. With more, the index reads too many entries. */
const SAMPLE_MATCHES_MAX = 10
/** More accounts that the index finds would take too long to compare. */
const CANDIDATES_MAX = 2500
/** The cursor of a page that has searched no accounts: above all ids */
export const NOTHING_SEARCHED = 2 ** 31 - 1

const CANDIDATES = raw(String(CANDIDATES_MAX))
const ACCOUNT_PARTS = raw(`search_parts(fold_text(email) || E'\\n' || phone) COLLATE "C"`)
const PROFILE_PARTS = raw(`search_parts(fold_text(name)) COLLATE "C"`)

/** Returns whether the index can find the accounts that match. It finds no shorter texts. */
export function isIndexed(search: UserSearch): boolean {
  return texts(search).every((text) => Array.from(text).length >= PART_LENGTH)
}

/** Returns texts of which each account that matches contains at least one. */
function texts({ name: text, digits }: UserSearch): string[] {
  if (digits === undefined) return [text]
  return text.includes(digits) ? [digits] : [text, digits]
}

/** Finds all accounts that match by the index, or returns the cursor `NOTHING_SEARCHED` if these could be too many. */
export function indexSql(filters: UserFilters, search: UserSearch, limit: number): Prisma.Sql {
  const rarest = join(
    texts(search).map((text) => sql`(${rarestParts(text)})`),
    ' UNION ALL ',
  )
  const ids = sql`
    SELECT id FROM candidates
    WHERE ${below('id', filters.before)} AND (SELECT id = 0 FROM searched_from) ORDER BY id DESC`
  return sql`
    WITH sample AS MATERIALIZED (
      SELECT fold_text(p.name) || E'\n' || fold_text(a.email) || E'\n' || a.phone AS text
      FROM (SELECT account_id, name FROM profiles ORDER BY account_id DESC LIMIT ${SAMPLE}) AS p
      JOIN accounts a ON a.id = p.account_id),
    rarest AS MATERIALIZED (${rarest}),
    is_rare AS MATERIALIZED (SELECT max(count) <= ${SAMPLE_MATCHES_MAX} AS yes FROM rarest),
    candidates AS MATERIALIZED (${candidates(search)}),
    searched_from AS (
      SELECT CASE WHEN (SELECT yes FROM is_rare) AND count(*) <= ${CANDIDATES} THEN 0 ELSE ${NOTHING_SEARCHED} END AS id
      FROM candidates),
    ${found(ids, filters, limit)}
    SELECT ${PAGE}`
}

/** Selects the rarest parts of a text, and how many accounts of the sample have the rarest of them. */
function rarestParts(text: string): Prisma.Sql {
  return sql`
    SELECT ${text}::text AS text, array_agg(part) AS parts, min(count) AS count FROM (
      SELECT part, (SELECT count(*) FROM sample WHERE strpos(sample.text, part) > 0) AS count
      FROM unnest(search_parts(${text})) AS part ORDER BY count LIMIT ${PARTS_MAX}) AS counted`
}

/** Selects the ids of accounts with the rarest parts of a text, which can be anywhere in its own texts. */
function candidates(search: UserSearch): Prisma.Sql {
  const having = (text: string, id: string, table: string, parts: Prisma.Sql): Prisma.Sql => sql`
    (SELECT ${raw(id)} AS id FROM ${raw(table)}
    WHERE (SELECT yes FROM is_rare) AND ${parts} @> (SELECT parts FROM rarest WHERE text = ${text})
    LIMIT ${CANDIDATES} + 1)`
  const selects = texts(search).flatMap((text) => [
    having(text, 'account_id', 'profiles', PROFILE_PARTS),
    having(text, 'id', 'accounts', ACCOUNT_PARTS),
  ])
  return join([...selects, sql`(SELECT id FROM accounts WHERE ${isId('id', search)})`], ' UNION ')
}
