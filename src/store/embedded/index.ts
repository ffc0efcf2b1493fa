import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { StartFailure } from '../../start-failure.ts'
import { lockFolder } from './lock.ts'
import { startThread, type Thread } from './thread.ts'
import { WireSocket } from './wire.ts'

/** An empty database, made when the service is built: unpacking it takes a tenth of the time and memory of initdb. */
export const TEMPLATE = new URL('../../../embedded-template.tar.gz', import.meta.url)

export type Embedded = { poolOptions: pg.PoolConfig; close(): Promise<void> }

/**
 * Opens the embedded PostgreSQL in `folder`, or in memory when there is none.
 *
 * @throws StartFailure when the folder cannot be written, or belongs to another process
 */
export async function openEmbedded(folder?: string, template: URL = TEMPLATE): Promise<Embedded> {
  if (folder === undefined) return embedded(await startThread({ template: readFileSync(template) }))
  makeFolder(folder)
  const unlock = await lockFolder(folder)
  try {
    const thread = await startThread({ folder: await databaseIn(folder, template) })
    return embedded(thread, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

function embedded(thread: Thread, unlock?: () => Promise<void>): Embedded {
  const stream = (): WireSocket => new WireSocket(thread)
  return {
    poolOptions: { user: 'postgres', database: 'postgres', max: 1, idleTimeoutMillis: 0, stream },
    async close() {
      await thread.close()
      await unlock?.()
    },
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { message } = error as Error
    throw new StartFailure(`The data directory ${folder} cannot be written: ${message}.`, { cause: error })
  }
}

/** The database is there whole or not at all: it is renamed into its place when it is complete. */
async function databaseIn(folder: string, template: URL): Promise<string> {
  const place = join(folder, 'database')
  if (existsSync(place)) return place
  const draft = join(folder, 'database.new')
  rmSync(draft, { recursive: true, force: true })
  const thread = await startThread({ folder: draft, template: readFileSync(template) })
  await thread.close()
  renameSync(draft, place)
  return place
}
