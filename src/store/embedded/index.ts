import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { makeFolder } from '../../folder.ts'
import { lockFolder } from './lock.ts'
import { startThread } from './thread.ts'
import { WireSocket } from './wire.ts'

/** An empty database, made when the service is built: copying it takes a tenth of the time and memory of making one. */
export const TEMPLATE = fileURLToPath(new URL('../../../embedded-template', import.meta.url))

export type Embedded = { poolOptions: pg.PoolConfig; close(): Promise<void> }

/**
 * Opens the embedded PostgreSQL in a folder.
 *
 * @throws StartFailure when the folder cannot be written, or belongs to another process
 */
export async function openEmbedded(folder: string): Promise<Embedded> {
  makeFolder(folder)
  const unlock = await lockFolder(folder)
  try {
    const thread = await startThread(databaseIn(folder))
    const stream = (): WireSocket => new WireSocket(thread)
    return {
      poolOptions: { user: 'postgres', database: 'postgres', max: 1, idleTimeoutMillis: 0, stream },
      async close() {
        await thread.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** The database is there whole or not at all: it is renamed into its place when it is complete. */
function databaseIn(folder: string): string {
  const place = join(folder, 'database')
  if (existsSync(place)) return place
  const draft = join(folder, 'database.new')
  rmSync(draft, { recursive: true, force: true })
  cpSync(TEMPLATE, draft, { recursive: true })
  renameSync(draft, place)
  return place
}
