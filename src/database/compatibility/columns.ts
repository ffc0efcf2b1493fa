import type { ClientBase } from 'pg'
import { COLUMNS } from '../../../generated/columns.ts'
import { StartupError } from '../../lib/startup-error.ts'

type Queryable = Pick<ClientBase, 'query'>

/** Finds columns by the names that statements use, so those of a view in place of a table count too. */
const MISSING = `SELECT n.name || '.' || c.name AS missing
  FROM json_each($1) AS n(name, columns), json_array_elements_text(n.columns) AS c(name)
  WHERE NOT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = to_regclass(quote_ident(n.name)) AND attname = c.name AND NOT attisdropped)
  ORDER BY 1`

/** Returns the columns that this version reads or writes and the database does not have: a later version removed them. */
export async function findMissingColumns(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ missing: string }>(MISSING, [JSON.stringify(COLUMNS)])
  return rows.map(({ missing }) => missing)
}

/** @throws StartupError if the database lacks a column that this version needs */
export async function requireColumns(client: Queryable): Promise<void> {
  const missing = await findMissingColumns(client)
  if (missing.length === 0) return
  throw new StartupError(`${describeMissing(missing)} Start the later version.`)
}

export function describeMissing(missing: readonly string[]): string {
  const [first = '', ...others] = missing
  const more = others.length > 0 ? ` and ${others.length} other columns` : ''
  return `The database lacks the column ${first}${more}, which this version needs: a later version has removed it.`
}
