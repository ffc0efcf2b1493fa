// Two sides that use one file store: a database and a copy of it, each with what a service does with its files.
import { cp } from 'node:fs/promises'
import type { Test } from 'tap'
import { directoryStorage } from '../../../src/adapters/files/directory.ts'
import { s3Storage } from '../../../src/adapters/files/s3.ts'
import type { FileStorage } from '../../../src/adapters/files/storage.ts'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import type { Clock } from '../../../src/domain/clock.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { openFileStore, type FileStore } from '../../../src/runtime/file-store/index.ts'
import { openStore, type Store } from '../../../src/store/index.ts'
import { temporaryFolder } from '../processes/process.ts'
import { copyOwnDatabase, ownDatabase, serverTarget, type OwnDatabase } from '../service/databases.ts'
import { embeddedDatabase } from '../service/embedded-databases.ts'
import { followClock } from '../service/moved-clock.ts'
import { PDF, upload } from './files.ts'
import { openS3 } from './s3.ts'

/** A database, and how to copy it */
export type Origin = { database: Database; directUrl?: string; copy(t: Test): Promise<Origin> }

export type Side = { origin: Origin; store: Store; fileStore: FileStore; clock: Clock; log: string[] }

/** A place for files, and further ones on the same server */
export type Place = { storage: FileStorage; copy(): Promise<FileStorage>; empty(): Promise<FileStorage> }

const COPIED_TABLES = ['accounts', 'files', 'file_store', 'file_removals']

/** Opens a database of its own. */
export async function openOrigin(t: Test): Promise<Origin> {
  const own = await ownDatabase()
  return own.directUrl === undefined ? openEmbeddedOrigin(t) : openServerOrigin(t, own)
}

async function openServerOrigin(t: Test, { url = '', directUrl = '', drop }: OwnDatabase): Promise<Origin> {
  const database = await openDatabase(serverTarget(url, 2))
  t.teardown(async () => {
    await database.close()
    await drop()
  })
  return { database, directUrl, copy: async () => openServerOrigin(t, await copyOwnDatabase(directUrl)) }
}

async function openEmbeddedOrigin(t: Test): Promise<Origin> {
  const database = await embeddedDatabase()
  t.teardown(() => database.close())
  const copy = async (): Promise<Origin> => {
    const copied = await openEmbeddedOrigin(t)
    await copyRows(database, copied.database)
    return copied
  }
  return { database, copy }
}

/** Starting another embedded database takes long, so an open one gets the rows. */
async function copyRows(from: Database, to: Database): Promise<void> {
  await to.pool.query('SET session_replication_role = replica')
  for (const table of COPIED_TABLES) {
    const { rows } = await from.pool.query<{ all: unknown }>(`SELECT json_agg(r)::text AS all FROM "${table}" r`)
    const sql = `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", coalesce($1, '[]')::json)`
    await to.pool.query(sql, [rows[0]?.all])
  }
  await to.pool.query('SET session_replication_role = origin')
}

/**
 * Opens the file store of a side as a service does at its start.
 *
 * @param fingerprint replaces that of the database: physical copies share it, and logical ones do not
 */
export async function openSide(
  origin: Origin,
  storage: FileStorage,
  { clock, fingerprint }: { clock: Clock; fingerprint: string },
): Promise<Side> {
  const log: string[] = []
  const logger = jsonLog('info', { write: (line) => log.push(line) })
  followClock(origin.database, clock, origin.directUrl)
  const store = openStore(origin.database, { clock, log: logger })
  const { describeDatabase } = store.fileStore
  const describe = async (): ReturnType<typeof describeDatabase> => ({ ...(await describeDatabase()), fingerprint })
  const fileRows = { ...store.fileStore, describeDatabase: describe }
  const sideStore = { ...store, fileStore: fileRows }
  const fileStore = openFileStore({ storage, store: sideStore, clock, log: logger })
  await fileStore.start()
  return { origin, store: sideStore, fileStore, clock, log }
}

/** Adds accounts that have files, which are stored. Returns the keys of the files. */
export async function addFiles(
  { origin }: Pick<Side, 'origin'>,
  storage: FileStorage,
  count: number,
): Promise<string[]> {
  const keys = await addObjects(storage, count)
  await origin.database.pool.query(
    `WITH added AS (
       INSERT INTO accounts (email, phone, phone_code, password_hash, account_type)
       SELECT key || '@example.org', '+' || left(md5(key), 14), '966', '', 'client' FROM unnest($1::text[]) AS k(key)
       RETURNING id, email)
     INSERT INTO files (account_id, kind, key, type, bytes)
     SELECT a.id, 'cv_file', k.key, 'application/pdf', 1 FROM unnest($1::text[]) AS k(key)
     JOIN added a ON a.email = k.key || '@example.org'`,
    [keys],
  )
  return keys
}

const AT_ONCE = 20

/** Stores files without a row. */
export async function addObjects(storage: FileStorage, count: number): Promise<string[]> {
  const { path } = await upload(PDF)
  const keys: string[] = []
  while (keys.length < count) {
    const added = Array.from({ length: Math.min(AT_ONCE, count - keys.length) }, () => storage.newKey())
    await Promise.all(added.map((key) => storage.put(key, path, 'application/pdf')))
    keys.push(...added)
  }
  return keys
}

export async function keysIn(storage: FileStorage): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const { key } of storage.list()) keys.add(key)
  return keys
}

export async function openDirectory(): Promise<Place> {
  const folder = temporaryFolder()
  return {
    storage: directoryStorage(folder),
    async copy() {
      const copied = temporaryFolder()
      await cp(folder, copied, { recursive: true, preserveTimestamps: true })
      return directoryStorage(copied)
    },
    empty: () => Promise.resolve(directoryStorage(temporaryFolder())),
  }
}

export async function openBucket(conditions: 'honored' | 'ignored'): Promise<Place> {
  const others = ['copy', 'empty']
  const s3 = await openS3({ others, conditions })
  const storage = s3Storage(s3)
  return {
    storage,
    async copy() {
      const copied = s3Storage({ ...s3, bucket: 'copy' })
      const { path } = await upload(PDF)
      const marker = await storage.readMarker()
      for (const key of await keysIn(storage)) await copied.put(key, path, 'application/pdf')
      if (marker) await copied.writeMarker(marker.text, undefined)
      return copied
    },
    empty: () => Promise.resolve(s3Storage({ ...s3, bucket: 'empty' })),
  }
}
