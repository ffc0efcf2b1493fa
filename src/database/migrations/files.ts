import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'

export type Migration = Readonly<{
  name: string
  sql: string
  checksum: string
  /** Checksums of earlier texts with the same result, which were applied before the file was changed */
  replaced: readonly string[]
  /** Whether the statements run one by one, as `CREATE INDEX CONCURRENTLY` requires. All of them can be repeated. */
  isOutside: boolean
}>

const OUTSIDE = '-- outside a transaction'
const REPLACED = /^-- replaces ([0-9a-f]{64})$/gm

/** Reads all migrations of a directory, in the order in which they are applied. */
export function readMigrations(directory: URL): Migration[] {
  return listMigrations(directory)
    .map((name) => readMigration(name, readFileSync(new URL(`${name}/migration.sql`, directory))))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function readMigration(name: string, bytes: Buffer): Migration {
  const sql = bytes.toString()
  return {
    name,
    sql,
    checksum: createHash('sha256').update(bytes).digest('hex'),
    replaced: [...sql.matchAll(REPLACED)].map(([, checksum = '']) => checksum),
    isOutside: sql.startsWith(OUTSIDE),
  }
}

/** Returns what to send to the database one after the other: each statement of a migration outside a transaction, or all. */
export function splitStatements(sql: string): string[] {
  if (!sql.startsWith(OUTSIDE)) return [sql]
  const withoutComments = sql.replaceAll(/^ *--.*$/gm, '')
  return withoutComments
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

/** The directory of the migrations */
export const MIGRATIONS = new URL('../../../../prisma/migrations/', import.meta.url)

/** Returns the names of the migrations in a directory: by default, those that this version of the service has. */
export function listMigrations(directory = MIGRATIONS): string[] {
  const entries = readdirSync(directory, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}
