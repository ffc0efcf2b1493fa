// Statements that are composed of parts, because their columns depend on what they write.
import { snakeCase } from './columns.ts'
import type { Executor } from './query.ts'
import { queryRow, type Query } from './query.ts'
import { nameStatement } from './statement-names.ts'
import type { Selection } from './columns.ts'

/** Adds a value to the parameters of a statement, and returns its placeholder. */
export type Bind = (value: unknown) => string

/** The fields of a model with their values. Undefined leaves a column unchanged. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Runs a statement and returns its first row. Statements with the same text are prepared once per connection.
 *
 * @param build returns the statement; it must use the select list as that of its SELECT or RETURNING
 */
export async function runComposed<Row>(
  executor: Executor,
  selection: Selection<Row>,
  build: (list: string, bind: Bind) => string,
): Promise<Row | undefined> {
  const values: unknown[] = []
  const text = build(selection.list, (value) => `$${values.push(toWire(value))}`)
  const composed: Query<Row> = { text, read: selection.read, name: nameStatement(text) }
  return queryRow(executor, composed, ...values)
}

/** Returns the assignments of an UPDATE. */
export function assignments(fields: Fields, bind: Bind): string {
  return written(fields)
    .map(([field, value]) => `${snakeCase(field)} = ${bind(value)}`)
    .join(', ')
}

/** Returns the columns of an INSERT and the placeholders of its values, in the same order. */
export function insertion(fields: Fields, bind: Bind): { columns: string; values: string } {
  const entries = written(fields)
  return {
    columns: entries.map(([field]) => snakeCase(field)).join(', '),
    values: entries.map(([, value]) => bind(value)).join(', '),
  }
}

/** Returns the assignments of an upsert, which overwrites the columns of an existing row. */
export function overwrites(fields: Fields): string {
  return written(fields)
    .map(([field]) => `${snakeCase(field)} = excluded.${snakeCase(field)}`)
    .join(', ')
}

function written(fields: Fields): [field: string, value: unknown][] {
  return Object.entries(fields).filter(([, value]) => value !== undefined)
}

/** Times are sent in UTC. The driver would send them in the time zone of the process, which changes the day of a date. */
function toWire(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

/** A named part of a statement, which the other parts can refer to. */
export type Part = readonly [name: string, sql: string]

/** Returns a WITH clause. Its parts all see the rows of the start of the statement, and run in any order. */
export function withParts(parts: readonly Part[]): string {
  return `WITH ${parts.map(([name, sql]) => `${name} AS (${sql})`).join(',\n')}`
}
