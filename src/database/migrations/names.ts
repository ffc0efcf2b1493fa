import { readdirSync } from 'node:fs'

/** The directory of the migrations */
export const MIGRATIONS = new URL('../../../../prisma/migrations/', import.meta.url)

/** Returns the names of the migrations in a directory: by default, those that this version of the service has. */
export function listMigrations(directory = MIGRATIONS): string[] {
  const entries = readdirSync(directory, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}
