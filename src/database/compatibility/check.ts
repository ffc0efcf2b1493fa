import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { findBreaks } from './breaks.ts'
import { readEnabledFeatures } from './features.ts'
import { readBaseline, readSchema, type Baseline } from './schema.ts'
import { TEMPLATE } from '../embedded/index.ts'
import { onDatabase, type DatabaseTarget } from '../index.ts'
import { prepareTables, readTablesState } from '../migrations/prepare.ts'

export type Compatibility = Readonly<{ text: string; isPossible: boolean }>

/**
 * Compares the migrations of this version, and the tables of the database, with those of the last release: whether
 * instances of both can run at the same time, and whether the last release can be started again.
 */
export async function checkCompatibility(target: DatabaseTarget): Promise<Compatibility> {
  const baseline = readBaseline()
  const hasDatabase = 'url' in target || existsSync(join(target.directory, 'database'))
  const results = [
    ...(existsSync(TEMPLATE) ? [await checkMigrations(baseline)] : []), // a production image has no embedded database
    ...(hasDatabase ? await onDatabase(target, (client) => checkDatabase(client, baseline)) : []),
  ]
  return {
    text: results.map(({ text }) => text).join('\n'),
    isPossible: results.every(({ isPossible }) => isPossible),
  }
}

/** Applies all migrations to a new database, so that nothing has to be read from their text. */
async function checkMigrations({ version, schema }: Baseline): Promise<Compatibility> {
  const directory = mkdtempSync(join(tmpdir(), 'tawthiq-compatibility-'))
  try {
    const breaks = await onDatabase({ directory }, async (client) => {
      await prepareTables(client)
      return findBreaks(schema, await readSchema(client))
    })
    const isPossible = breaks.length === 0
    const result = `${version} ${isPossible ? 'can' : 'cannot'} use the migrated tables.`
    return { isPossible, text: `Migrations of this version: ${result}${list(breaks)}` }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Says what is possible with a database in its present state. */
export async function checkDatabase(
  client: ClientBase,
  { version, migrations, schema }: Baseline,
): Promise<Compatibility[]> {
  const { applied, pending } = await readTablesState(client)
  if (applied.length === 0) return [{ isPossible: true, text: 'Database: empty.' }]
  const missing = migrations.filter((name) => !applied.includes(name))
  if (missing.length > 0) return [needsStop(version, missing)]

  const upgrade = `Rolling upgrade from ${version}: possible, ${pending.length} migrations are missing.`
  const features = await readEnabledFeatures(client)
  const reasons = [
    ...features.map(({ name, leastVersion }) => `the feature ${name} is enabled, which needs ${leastVersion}`),
    ...findBreaks(schema, await readSchema(client)),
  ]
  if (reasons.length > 0)
    return [{ isPossible: false, text: `Rollback to ${version}: not possible, restore a backup.${list(reasons)}` }]
  return [{ isPossible: true, text: `${upgrade}\nRollback to ${version}: possible. Migrations are not reverted.` }]
}

function needsStop(version: string, missing: readonly string[]): Compatibility {
  const reason = `The database has the tables of a version before ${version}: it lacks ${missing.length} of its migrations, the first of which is ${missing[0]}.`
  return {
    isPossible: false,
    text: `Rolling upgrade: not possible. ${reason} Stop the instances first, then run migrate, and start this version.\nRollback: not possible after migrate, except by restoring a backup.`,
  }
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `\n  ${line}`).join('')
}
