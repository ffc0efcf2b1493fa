import type pg from 'pg'
import type { Selection } from './columns.ts'

/** A statement and the conversion of its rows. pg prepares a named statement once per connection. */
export type Query<Row> = Readonly<{ text: string; read: (row: unknown) => Row; name?: string }>

/** The pool, or a connection, which may be in a transaction */
export type Driver = { query(config: pg.QueryConfig): Promise<{ rows: unknown[]; rowCount: number | null }> }

/** @param build returns the statement; it must use the select list as that of its SELECT or RETURNING */
export function query<Row>(selection: Selection<Row>, build: (list: string) => string, name?: string): Query<Row> {
  return { text: build(selection.list), read: selection.read, ...(name !== undefined && { name }) }
}

export async function queryRows<Row>(
  driver: Driver,
  { text, read, ...named }: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row[]> {
  const { rows } = await driver.query({ ...named, text, values: [...values] })
  return rows.map(read)
}

/** Returns the first row; undefined if there is none. */
export async function queryRow<Row>(
  driver: Driver,
  query: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row | undefined> {
  return (await queryRows(driver, query, ...values))[0]
}

/** Returns the row of a statement that always returns one. */
export async function queryOnlyRow<Row>(
  driver: Driver,
  query: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row> {
  const row = await queryRow(driver, query, ...values)
  if (!row) throw new Error('a statement that always returns a row has returned none')
  return row
}

/** Runs a statement and returns the number of rows that it has changed. */
export async function execute(driver: Driver, text: string, ...values: readonly unknown[]): Promise<number> {
  return (await driver.query({ text, values: [...values] })).rowCount ?? 0
}
