// Rows of other tables as JSON columns of a row.
import { select, type Column } from './sql.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
type JsonColumn<Value> = Column<Value> & { readonly isJson: true }

/** Columns of a JSON row. JSON has no times and no 64-bit integers; convert such columns, for example by `jsonTime`. */
type JsonColumns<Row> = {
  readonly [Name in keyof Row]-?: Row[Name] extends Json ? Column<Row[Name]> : JsonColumn<Row[Name]>
}

/** Returns a column that reads a time from its JSON text. */
export function jsonTime<Value extends Date | null>({ sql }: Column<Value>): JsonColumn<Value> {
  const read = (wire: unknown): Value => (wire === null ? null : new Date(wire as string)) as Value // nullable columns only
  return { sql, read, isJson: true }
}

/** Returns a column with one row as JSON; null if there is none. `from` is the rest of the query, from FROM on. */
export function jsonRow<Row>(columns: JsonColumns<Row>, from: string): Column<Row | null> {
  const { list, read } = select<Row>(columns)
  return {
    sql: `(SELECT to_json(r) FROM (SELECT ${list} ${from}) r)`,
    read: (wire) => (wire === null ? null : read(wire)),
  }
}

/** Returns a column with all rows as JSON, in the order of the query. */
export function jsonRows<Row>(columns: JsonColumns<Row>, from: string): Column<Row[]> {
  const { list, read } = select<Row>(columns)
  return {
    sql: `(SELECT coalesce(json_agg(r), '[]') FROM (SELECT ${list} ${from}) r)`,
    read: (wire) => (wire as unknown[]).map(read), // json_agg returns an array
  }
}
