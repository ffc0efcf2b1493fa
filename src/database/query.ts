import type pg from 'pg'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Selection } from './columns.ts'

/** A statement and the conversion of its rows. pg prepares a named statement once per connection. */
export type Query<Row> = Readonly<{ text: string; read: (row: unknown) => Row; name?: string }>

type Driver = { query(config: pg.QueryConfig): Promise<{ rows: unknown[] }> }
/** The pool, a connection, or a transaction of Prisma */
export type Executor = Driver | Pick<Prisma.TransactionClient, '$queryRawUnsafe'>

/** @param build returns the statement; it must use the select list as that of its SELECT or RETURNING */
export function query<Row>(selection: Selection<Row>, build: (list: string) => string, name?: string): Query<Row> {
  return { text: build(selection.list), read: selection.read, ...(name !== undefined && { name }) }
}

export async function queryRows<Row>(
  executor: Executor,
  { text, read, ...named }: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row[]> {
  const rows =
    '$queryRawUnsafe' in executor
      ? await executor.$queryRawUnsafe<unknown[]>(text, ...values)
      : (await executor.query({ ...named, text, values: [...values] })).rows
  return rows.map(read)
}

/** Returns the first row; undefined if there is none. */
export async function queryRow<Row>(
  executor: Executor,
  query: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row | undefined> {
  return (await queryRows(executor, query, ...values))[0]
}

/** Returns the row of a statement that always returns one. */
export async function queryOnlyRow<Row>(
  executor: Executor,
  query: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row> {
  const row = await queryRow(executor, query, ...values)
  if (!row) throw new Error('a statement that always returns a row has returned none')
  return row
}
