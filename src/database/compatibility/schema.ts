import { readFileSync } from 'node:fs'
import type { ClientBase } from 'pg'

type Column = Readonly<{
  type: string
  /** Whether a value is required */
  isRequired: boolean
  /** Whether a row can be added without a value, because the database has one */
  hasDefault: boolean
}>
type Key = Readonly<{ columns: readonly string[]; where: string | null }>
export type Table = Readonly<{
  columns: Readonly<Record<string, Column>>
  /** Unique indexes, of columns or expressions */
  keys: readonly Key[]
  /** Names of check and exclusion constraints and of foreign keys */
  constraints: readonly string[]
}>

/** What statements depend on: tables, their columns and constraints, and the values of enumerations. */
export type Schema = Readonly<{
  tables: Readonly<Record<string, Table>>
  enums: Readonly<Record<string, readonly string[]>>
}>

/** Partitions are left out: statements use their table. Views count as tables, because they can replace one. */
const TABLES = `SELECT c.relname AS name,
    (SELECT json_object_agg(a.attname, json_build_object(
        'type', format_type(a.atttypid, a.atttypmod),
        'isRequired', a.attnotnull,
        'hasDefault', a.atthasdef OR a.attidentity <> '') ORDER BY a.attname)
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT json_agg(json_build_object(
        'columns', ARRAY(SELECT pg_get_indexdef(indexrelid, k, true) FROM generate_series(1, indnkeyatts) AS k),
        'where', pg_get_expr(indpred, indrelid)) ORDER BY indexrelid::regclass::text)
      FROM pg_index WHERE indrelid = c.oid AND indisunique) AS keys,
    (SELECT json_agg(conname ORDER BY conname)
      FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('c', 'f', 'x')) AS constraints
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
    AND c.relname <> '_prisma_migrations'
  ORDER BY c.relname`

const ENUMS = `SELECT t.typname AS name, json_agg(e.enumlabel ORDER BY e.enumsortorder) AS labels
  FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid
  WHERE t.typnamespace = current_schema()::regnamespace GROUP BY t.typname ORDER BY t.typname`

type TableRow = { name: string; columns: Table['columns']; keys: Key[] | null; constraints: string[] | null }

/** Reads the schema that a database has. */
export async function readSchema(client: Pick<ClientBase, 'query'>): Promise<Schema> {
  const { rows: tables } = await client.query<TableRow>(TABLES)
  const { rows: enums } = await client.query<{ name: string; labels: string[] }>(ENUMS)
  return {
    tables: Object.fromEntries(
      tables.map(({ name, columns, keys, constraints }) => [
        name,
        { columns, keys: keys ?? [], constraints: constraints ?? [] },
      ]),
    ),
    enums: Object.fromEntries(enums.map(({ name, labels }) => [name, labels])),
  }
}

/** The database of the last release, as its migrations make it */
export type Baseline = Readonly<{
  version: string
  migrations: readonly string[]
  /** Without columns that no statement of the release uses */
  schema: Schema
}>

const BASELINE = new URL('../../../../prisma/released/schema.json', import.meta.url)

export function readBaseline(): Baseline {
  return JSON.parse(readFileSync(BASELINE, 'utf8')) as Baseline
}
