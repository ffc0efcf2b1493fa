// A file store belongs to one database. A marker in the store names it, so that no instance with a wrong variable or an
// empty database deletes the files of another one.
import type { FileStorage } from '../adapters/files/storage.ts'
import { Failure } from '../domain/failure.ts'
import type { Log } from '../log.ts'
import { StartFailure } from '../start-failure.ts'
import type { Store } from '../store/index.ts'
import type { DeletionLock } from './deletion-lock.ts'
import { markerText, parseMarker } from './marker.ts'
import { stockOf } from './stock.ts'

export type Parts = { storage: FileStorage; store: Pick<Store, 'fileStore'>; deletionLock?: DeletionLock }

/**
 * How the store stands to the database. `ahead`: the store was swept since the state of the database, which was restored
 * from a backup or is a copy. What the database does not know may then be the files of others.
 */
type Standing = 'unbound' | 'bound' | 'ahead' | 'foreign'

/** So many objects are compared with the database before a store without a marker is taken for its own. */
const SAMPLE = 1000

/** What an operator wants to know before they bind the store. Writes nothing. */
export async function describeFileStore(parts: Parts): Promise<{ standing: Standing; files: number; known: number }> {
  const { storage, store } = parts
  const { files, orphans, waiting } = await stockOf(storage, store, Infinity, () => Promise.resolve())
  return { standing: await standingOf(parts), files, known: files - orphans.length - waiting.length }
}

async function standingOf({ storage, store }: Parts): Promise<Standing> {
  const text = await storage.readMarker()
  if (text === undefined) return 'unbound'
  const marker = parseMarker(text)
  const { databaseId, generation } = await store.fileStore.identity()
  if (marker?.database !== databaseId) return 'foreign'
  return marker.generation > generation ? 'ahead' : 'bound'
}

/**
 * Refuses a store that belongs to another database, or that has no marker and holds what this database does not know.
 * Writes nothing, and unlocks the deletion of files only while the store is known to be that of the database.
 *
 * @throws StartFailure
 */
export async function checkFileStore(parts: Parts): Promise<Exclude<Standing, 'foreign'>> {
  const { storage, deletionLock } = parts
  const standing = await standingOf(parts)
  if (deletionLock) deletionLock.isLocked = standing !== 'bound'
  if (standing === 'foreign') throw new StartFailure(inUse(storage, 'belongs to another database'))
  if (standing === 'unbound' && !(await isKnown(parts))) {
    throw new StartFailure(inUse(storage, 'holds files that this database does not know'))
  }
  return standing
}

/**
 * The same, and binds a store without a marker to the database.
 *
 * @throws StartFailure
 */
export async function bindFileStore(parts: Parts): Promise<Exclude<Standing, 'foreign'>> {
  const standing = await checkFileStore(parts)
  if (standing !== 'unbound') return standing
  await writeMarker(parts)
  return checkFileStore(parts) // another database may have bound it at the same moment
}

/**
 * The same when the service starts. A store that does not answer does not stop it: it is bound before its first sweep.
 *
 * @returns whether the store answers
 * @throws StartFailure
 */
export async function bindAtStart(parts: Parts, log: Log): Promise<boolean> {
  try {
    if ((await bindFileStore(parts)) === 'ahead') log.error(AHEAD)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    log.warn(
      { err: error },
      'the file store does not answer: no file is deleted until it is known to belong to this database',
    )
    return false
  }
}

export const AHEAD =
  'the file store was swept since the state of this database, which seems to be restored from a backup or a copy: no file is deleted (npm run admin -- adopt-files)'

/** Makes the store that of the database, whatever it was before. */
export async function adoptFileStore(parts: Parts): Promise<void> {
  const marker = parseMarker((await parts.storage.readMarker()) ?? '')
  const { generation } = await parts.store.fileStore.identity()
  await parts.store.fileStore.setGeneration(Math.max(generation, marker?.generation ?? 0) + 1)
  await writeMarker(parts)
}

/** Counts a sweep: the database first, as a marker that is ahead ends all sweeps. */
export async function countSweep(parts: Parts): Promise<void> {
  const { generation } = await parts.store.fileStore.identity()
  await parts.store.fileStore.setGeneration(generation + 1)
  await writeMarker(parts)
}

async function writeMarker({ storage, store }: Parts): Promise<void> {
  const { databaseId: database, generation } = await store.fileStore.identity()
  await storage.writeMarker(markerText({ database, generation }))
}

/** Whether a store without a marker is empty, or holds files of this database, as one does that is older than markers. */
async function isKnown({ storage, store }: Parts): Promise<boolean> {
  const keys: string[] = []
  let isEmpty = true
  for await (const { key } of storage.list()) {
    isEmpty = false
    if (storage.isOwnKey(key)) keys.push(key)
    if (keys.length === SAMPLE) break
  }
  const { orphans, waiting } = await store.fileStore.withoutRow(keys)
  return isEmpty || orphans.length + waiting.length < keys.length
}

function inUse({ place }: FileStorage, why: string): string {
  return `${place} ${why}, so nothing was read or changed there. Set FILES_DIR, or S3_BUCKET and S3_PREFIX, to the place of this
database or to an empty one, or DATABASE_URL to the database of these files. If they are to belong to this database from
now on, run npm run admin -- adopt-files.`
}
