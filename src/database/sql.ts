// SQL statements with typed rows.
import type pg from 'pg'
import { createHash } from 'node:crypto'
import { Prisma } from '../../generated/prisma/client.ts'

/** An SQL expression, and the conversion of the values that the driver returns for it. */
export type Column<Value> = Readonly<{ sql: string; read: (wire: unknown) => Value }>

/** One column for each member of a row. A missing, surplus or wrongly typed column does not compile. */
export type Columns<Row> = { readonly [Name in keyof Row]-?: Column<Row[Name]> }

/** The rows of columns whose type is not declared elsewhere */
export type RowOf<Selected> = Readonly<{
  [Name in keyof Selected]: Selected[Name] extends Column<infer Value> ? Value : never
}>

type Models = Prisma.TypeMap['model']
type ModelRow<Model extends Prisma.ModelName> = Models[Model]['payload']['scalars']

/** Returns a value of the driver unchanged. The drivers return the types of Prisma's models. */
const asIs = (wire: unknown): never => wire as never

/**
 * Returns the columns of a model by field name, with the types of Prisma. Every column has the name of its field
 * in snake case.
 *
 * @param alias the alias of the table in the statement
 */
export function table<Model extends Prisma.ModelName>(model: Model, alias: string): Columns<ModelRow<Model>> {
  const fields = Object.keys(Prisma[`${model}ScalarFieldEnum`])
  const entries = fields.map((field) => [field, column(`${alias}.${snakeCase(field)}`)])
  return Object.fromEntries(entries) as Columns<ModelRow<Model>>
}

/** Returns the columns of a model for an outer join. All can be null, because a row may have no counterpart. */
export function outerTable<Model extends Prisma.ModelName>(
  model: Model,
  alias: string,
): { readonly [Field in keyof ModelRow<Model>]: Column<ModelRow<Model>[Field] | null> } {
  return table(model, alias)
}

/** Returns the columns of some fields. */
export function pick<Given extends object, Name extends keyof Given>(
  given: Given,
  ...names: readonly Name[]
): Pick<Given, Name> {
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Pick<Given, Name>
}

/** Assigns a type to an SQL expression that is not a column of a table. */
export function column<Value>(sql: string): Column<Value> {
  return { sql, read: asIs }
}

export function isNotNull({ sql }: Column<unknown>): Column<boolean> {
  return column(`${sql} IS NOT NULL`)
}

/** Narrows the type of a column to the values that are written to it, such as the members of an enumeration. */
export function narrowed<Value, Narrow extends Value>(of: Column<Value>): Column<Narrow> {
  return of as Column<Narrow>
}

/** Returns an expression for the column if a condition is true, and for null otherwise. */
export function onlyIf<Value>(condition: string, { sql, read }: Column<Value>): Column<Value | null> {
  return { sql: `CASE WHEN ${condition} THEN ${sql} END`, read: (wire) => (wire === null ? null : read(wire)) }
}

/** Returns a column that reads null as undefined. */
export function optional<Value>({ sql, read }: Column<Value>): Column<Exclude<Value, null> | undefined> {
  return { sql, read: (wire) => (wire === null ? undefined : (read(wire) as Exclude<Value, null>)) }
}

/** Returns the same columns as members of a subquery that selects them. */
export function columnsIn<Row, Given extends Columns<Row>>(alias: string, columns: Given): Given {
  const entries = Object.entries<Column<unknown>>(columns).map(([name, each]) => [
    name,
    { ...each, sql: `${alias}."${name}"` },
  ])
  return Object.fromEntries(entries) as Given
}

/** Returns the select list of a row. The list matches the type of the rows, because both derive from the columns. */
export function select<Row>(columns: Columns<Row>): Readonly<{ list: string; read: (row: unknown) => Row }> {
  const entries = Object.entries<Column<unknown>>(columns)
  const list = entries.map(([name, { sql }]) => `${sql} AS "${name}"`).join(', ')
  const converted = entries.filter(([, { read }]) => read !== asIs)
  const read = (row: unknown): Row => {
    const values = row as Record<string, unknown> // the query selects these columns
    for (const [name, each] of converted) values[name] = each.read(values[name])
    return values as Row
  }
  return { list, read }
}

/** Returns the name of the column of a field. */
export function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A statement and the conversion of its rows. pg prepares a named statement once per connection. */
export type Query<Row> = Readonly<{ text: string; read: (row: unknown) => Row; name?: string }>

/** The pool, or a connection, which may be in a transaction */
export type Driver = { query(config: pg.QueryConfig): Promise<{ rows: unknown[]; rowCount: number | null }> }

/** @param build returns the statement; it must use the select list of the columns as that of its SELECT or RETURNING */
export function query<Row>(columns: Columns<Row>, build: (list: string) => string, name?: string): Query<Row> {
  const { list, read } = select(columns)
  return { text: build(list), read, ...(name !== undefined && { name }) }
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

/** Runs a statement and returns the number of rows that it has changed or read. */
export async function execute(driver: Driver, text: string, ...values: readonly unknown[]): Promise<number> {
  return (await driver.query({ text, values: [...values] })).rowCount ?? 0
}

const NAMES_MAX = 500

const names = new Map<string, string>()

/** Returns a name for a statement, so that PostgreSQL prepares it once per connection. Equal statements have equal names. */
export function nameStatement(sql: string): string {
  const name = names.get(sql) ?? `p${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`
  if (names.size < NAMES_MAX) names.set(sql, name)
  return name
}
