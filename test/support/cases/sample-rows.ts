// Rows with the columns of a version, and statements that add, change and delete them.
import type { ClientBase } from 'pg'
import type { Schema, Table } from '../../../src/database/compatibility/schema.ts'

/** The value of each type. All ids are equal, so that rows refer to each other. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/\[\]$/, '{}'],
  [/^(?:smallint|integer|bigint|numeric|double precision)/, '1'],
  [/^boolean/, 'true'],
  [/^uuid/, '00000000-0000-4000-8000-000000000001'],
  [/^(?:timestamp|date)/, 'now'],
  [/^bytea/, '\\x01'],
  [/^jsonb?/, '{}'],
  [/^(?:text|character)/, 'a'],
]

/** Client addresses are indexed as such, and no version stores other texts. */
const ADDRESS = '127.0.0.1'

/**
 * Adds a row to each table, changes every column and deletes the row, and returns which of it succeeded. Everything is
 * rolled back.
 */
export async function tryRows(client: ClientBase, { tables, enums }: Schema): Promise<string[]> {
  const done: string[] = []
  const attempt = async (name: string, sql: string): Promise<boolean> => {
    await client.query('SAVEPOINT attempt')
    const isDone = await client.query(sql).then(
      () => true,
      () => false,
    )
    await client.query(isDone ? 'RELEASE attempt' : 'ROLLBACK TO attempt')
    if (isDone) done.push(name)
    return isDone
  }
  await client.query('BEGIN')
  let waiting = Object.entries(tables)
  for (let count = Infinity; waiting.length < count;) {
    count = waiting.length
    const left: typeof waiting = []
    for (const [name, table] of waiting) {
      if (!(await attempt(`${name}: insert`, insertOf(name, table, enums)))) left.push([name, table])
    }
    waiting = left // a row that refers to another one is added after it
  }
  for (const [name, table] of Object.entries(tables)) {
    const columns = Object.keys(table.columns).map((column) => `"${column}" = "${column}"`)
    await attempt(`${name}: update`, `UPDATE "${name}" SET ${columns.join(', ')}`)
  }
  for (const name of Object.keys(tables)) {
    await attempt(`${name}: delete`, `DELETE FROM "${name}"`)
  }
  await client.query('ROLLBACK')
  return done
}

/** @param given the values of some columns */
export function insertOf(
  name: string,
  { columns }: Table,
  enums: Schema['enums'],
  given: Readonly<Record<string, string>> = {},
): string {
  const values = Object.entries(columns).map(([column, { type }]) => {
    const [first = column === 'address' ? ADDRESS : undefined] = enums[type.replaceAll('"', '')] ?? []
    const value = given[column] ?? first ?? VALUES.find(([pattern]) => pattern.test(type))?.[1] ?? ''
    return `CAST('${value}' AS ${type})`
  })
  const names = Object.keys(columns).map((column) => `"${column}"`)
  return `INSERT INTO "${name}" (${names.join(', ')}) VALUES (${values.join(', ')})`
}
