import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { makeDirectory } from '../../lib/directory.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { lockDirectory } from './lock.ts'
import { startThread, WireSocket } from './thread.ts'

/** The path of an empty database from the build. Copying it needs a tenth of the time and memory of creating one. */
export const TEMPLATE = fileURLToPath(new URL('../../../embedded-template', import.meta.url))
/** A file in an empty directory of the template. Packages of npm cannot contain empty directories. */
export const PLACEHOLDER = '.empty'

export type Embedded = { poolOptions: pg.PoolConfig; close(): Promise<void> }

/** Databases that are already open, by directory. Only tests add any: starting one takes 0.3 s of CPU time. */
export const alreadyOpen = new Map<string, Embedded>()

/**
 * Opens the embedded PostgreSQL in a directory.
 *
 * @throws StartupError if the directory cannot be written, or is in use by another process
 */
export async function openEmbedded(directory: string): Promise<Embedded> {
  makeDirectory(directory, 'DATA_DIR')
  const unlock = await lockDirectory(directory)
  try {
    const { poolOptions, close } = alreadyOpen.get(directory) ?? (await startIn(directory))
    return {
      poolOptions,
      async close() {
        await close().finally(unlock)
      },
    }
  } catch (error) {
    await unlock()
    throw new StartupError(
      `The embedded database in ${directory} cannot be opened: ${(error as Error).message}. Free space on the disk, restore the directory from a backup, or set DATA_DIR to another one.`,
      { cause: error },
    )
  }
}

async function startIn(directory: string): Promise<Embedded> {
  const thread = await startThread(databasePath(directory))
  const stream = (): WireSocket => new WireSocket(thread)
  return {
    poolOptions: { user: 'postgres', database: 'postgres', max: 1, idleTimeoutMillis: 0, stream },
    close: () => thread.close(),
  }
}

/**
 * Returns the path of the database, and creates it if it is missing. A new database is renamed only when it is
 * complete, so an interrupted start leaves no partial one.
 */
export function databasePath(directory: string): string {
  const path = join(directory, 'database')
  if (existsSync(path)) {
    if (versionOf(path) !== versionOf(TEMPLATE)) throw new Error('it has no PostgreSQL of this version')
    return path
  }
  const incomplete = join(directory, 'database.new')
  rmSync(incomplete, { recursive: true, force: true })
  copyDirectory(TEMPLATE, incomplete)
  renameSync(incomplete, path)
  return path
}

/** Returns the version of PostgreSQL that created a database; undefined if there is none in the directory. */
function versionOf(path: string): string | undefined {
  const file = join(path, 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** Copies a directory. `cpSync` takes twice as long. */
function copyDirectory(from: string, to: string): void {
  mkdirSync(to, { mode: statSync(from).mode })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === PLACEHOLDER) continue
    const copy = entry.isDirectory() ? copyDirectory : copyFileSync
    copy(join(from, entry.name), join(to, entry.name))
  }
}
