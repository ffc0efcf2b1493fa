import { Prisma } from '../../../generated/prisma/client.ts'
import { BLOCK_BITS, KEY_BITS, searchKeys } from './search-keys.ts'
import { below, conditions, PAGE, USER, type UserFilters } from './user-rows.ts'

/** After this time, a page ends with the next block of accounts. Leaves room for that block within 20 ms. */
const SEARCH_MS = 8

/** A number with more digits is no id. */
const ID_DIGITS_MAX = 10

const BITS = Prisma.raw(String(BLOCK_BITS))
const KEY_SHIFT = Prisma.raw(String(KEY_BITS))
const HAS_TIME = Prisma.raw(`clock_timestamp() < statement_timestamp() + interval '${SEARCH_MS} milliseconds'`)

/**
 * Searches block by block, the newest accounts first, until the page is full or its time is over. Always searches at least
 * one block, so that every page makes progress.
 */
export function searchSql(filters: UserFilters, limit: number): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE scan (block, ids, count, steps) AS (
      SELECT coalesce(max(account_id) >> ${BITS}, -1) + 1, '{}'::int[], 0, 0
      FROM account_search WHERE ${below('account_id', filters.before)}
      UNION ALL
      SELECT scan.block - 1, found.ids, scan.count + cardinality(found.ids), scan.steps + 1
      FROM scan CROSS JOIN LATERAL (SELECT ARRAY(${idsInBlock(filters, limit)}) AS ids OFFSET 0) AS found
      WHERE scan.block > 0 AND scan.count <= ${limit} AND (scan.steps = 0 OR ${HAS_TIME})),
    searched_from AS (SELECT min(block) << ${BITS} AS id FROM scan),
    found AS (
      SELECT ${USER} WHERE a.id = ANY (ARRAY(SELECT unnest(ids) FROM scan)) ORDER BY a.id DESC LIMIT ${limit + 1})
    SELECT ${PAGE}`
}

/**
 * Selects the ids of the accounts that match, in the block before `scan.block`. With OR, PostgreSQL would compute the keys of
 * each account again. OFFSET prevents it from reading all accounts in the order of their ids.
 */
function idsInBlock(filters: UserFilters, limit: number): Prisma.Sql {
  const { sql, join } = Prisma
  const selects = alternatives(filters).map(
    (alternative) => sql`SELECT k.account_id FROM account_search k WHERE ${alternative} AND ${conditions(filters)}`,
  )
  return sql`
    SELECT account_id FROM (${join(selects, ' UNION ')} OFFSET 0) AS matching
    ORDER BY account_id DESC LIMIT ${limit + 1}`
}

/** Returns the ways in which an account can match a search. The accounts of a block are looked up in an index for each. */
function alternatives({ search, ...filters }: UserFilters): Prisma.Sql[] {
  const { sql } = Prisma
  if (!search) return [hasKeys(searchKeys(filters))]
  const { name: text, digits } = search
  const withText = (part: string): Prisma.Sql => hasKeys(searchKeys({ ...filters, text: part }))
  const inText = sql`strpos(k.name, ${text}) > 0 OR strpos(k.email, ${text}) > 0`
  if (digits === undefined) return [sql`${withText(text)} AND (${inText})`]
  const inPhone = sql`strpos(k.phone, ${digits}) > 0`
  if (!text.includes(digits)) return [sql`${withText(text)} AND (${inText})`, sql`${withText(digits)} AND ${inPhone}`]
  const inAny = sql`${withText(digits)} AND (${inText} OR ${inPhone})`
  return text === digits && digits.length <= ID_DIGITS_MAX ? [inAny, isId(digits)] : [inAny]
}

function hasKeys(keys: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    search_keys(k.account_id, k.name, k.email, k.phone, k.account_type, k.status, k.review_status) @> ARRAY(
      SELECT ((scan.block - 1)::bigint << ${KEY_SHIFT}) | key FROM unnest(${keys}::bigint[]) AS key)`
}

function isId(digits: string): Prisma.Sql {
  return Prisma.sql`k.account_id = ${digits}::bigint AND k.account_id >> ${BITS} = scan.block - 1`
}
