// Statements that are composed of parts, because their columns depend on what they write.
import { nameStatement, queryRow, snakeCase, type Driver, type Query } from './sql.ts'

/** Adds a value to the parameters of a statement, and returns its placeholder. */
export type Bind = (value: unknown) => string

/** The fields of a model with their values. Undefined leaves a column unchanged. */
type Fields = Readonly<Record<string, unknown>>

/** Runs a statement and returns its first row. Statements with the same text are prepared once per connection. */
export async function runComposed<Row>(driver: Driver, build: (bind: Bind) => Query<Row>): Promise<Row | undefined> {
  const values: unknown[] = []
  const { text, read } = build((value) => `$${values.push(toWire(value))}`)
  return queryRow(driver, { text, read, name: nameStatement(text) }, ...values)
}

/** Returns the assignments of an UPDATE, and the condition that one of them changes a value. */
export function assignments(alias: string, fields: Fields, bind: Bind): { set: string; changes: string } {
  const entries = Object.entries(assigned(fields, bind))
  return {
    set: entries.map(([name, at]) => `${name} = ${at}`).join(', '),
    changes: entries.map(([name, at]) => `${alias}.${name} IS DISTINCT FROM ${at}`).join(' OR '),
  }
}

/** New values of columns, in SQL */
export type Assigned = Readonly<Record<string, string>>

/** Returns the columns of an UPDATE with the placeholders of their values. */
export function assigned(fields: Fields, bind: Bind): Assigned {
  return Object.fromEntries(written(fields).map(([field, value]) => [snakeCase(field), bind(value)]))
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

/** Returns the condition that an upsert changes a value of the existing row. */
export function differs(alias: string, fields: Fields): string {
  const columns = written(fields).map(([field]) => snakeCase(field))
  return `(${columns.map((each) => `${alias}.${each}`).join(', ')})
    IS DISTINCT FROM (${columns.map((each) => `excluded.${each}`).join(', ')})`
}

function written(fields: Fields): [field: string, value: unknown][] {
  return Object.entries(fields).filter(([, value]) => value !== undefined)
}

/** Times are sent in UTC. The driver would send them in the time zone of the process, which changes the day of a date. */
function toWire(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

/** A named part of a statement, which the other parts can refer to. */
export type Part = Readonly<{ name: string; sql: string }>

/** Returns a WITH clause. Its parts all see the rows of the start of the statement, and run in any order. */
export function withParts(parts: readonly Part[]): string {
  return `WITH ${parts.map(({ name, sql }) => `${name} AS (${sql})`).join(',\n')}`
}
