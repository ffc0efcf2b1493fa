// A file store belongs to one database, which a marker in the store names. This prevents an instance with a wrong
// variable or an empty database from deleting the files of another one.
import type { FileStorage } from '../../adapters/files/storage.ts'
import { Failure } from '../../domain/failure.ts'
import type { Log } from '../../lib/log.ts'
import { StartupError } from '../../lib/startup-error.ts'
import type { Store } from '../../store/index.ts'
import type { DeletionLock } from './deletion-lock.ts'
import { serializeMarker, parseMarker } from './marker.ts'
import { takeInventory } from './inventory.ts'

export type BindingDependencies = { storage: FileStorage; store: Pick<Store, 'fileStore'>; deletionLock?: DeletionLock }

/**
 * The relation of the store to the database. `ahead`: the store was swept after the state of this database, which was
 * restored from a backup or copied. Files without a row may then belong to the original database.
 */
type BindingStatus = 'unbound' | 'bound' | 'ahead' | 'foreign'

/** Number of objects that are compared with the database to recognize a store without a marker */
const SAMPLE_KEYS = 1000

/** Describes the store for an operator before it is bound. Writes nothing. */
export async function describeFileStore(
  dependencies: BindingDependencies,
): Promise<{ status: BindingStatus; files: number; known: number }> {
  const { storage, store } = dependencies
  const { files, orphans, waiting } = await takeInventory(storage, store, Infinity, () => Promise.resolve())
  return { status: await readStatus(dependencies), files, known: files - orphans.length - waiting.length }
}

async function readStatus({ storage, store }: BindingDependencies): Promise<BindingStatus> {
  const text = await storage.readMarker()
  if (text === undefined) return 'unbound'
  const marker = parseMarker(text)
  const { databaseId, generation } = await store.fileStore.identity()
  if (marker?.database !== databaseId) return 'foreign'
  return marker.generation > generation ? 'ahead' : 'bound'
}

/**
 * Rejects a store that belongs to another database, or that has no marker and contains unknown files. Writes nothing,
 * and unlocks the deletion of files only while the store is bound to the database.
 *
 * @throws StartupError if the store is rejected
 */
export async function checkFileStore(dependencies: BindingDependencies): Promise<Exclude<BindingStatus, 'foreign'>> {
  const { storage, deletionLock } = dependencies
  const status = await readStatus(dependencies)
  if (deletionLock) deletionLock.isLocked = status !== 'bound'
  if (status === 'foreign') throw new StartupError(rejectionMessage(storage, 'belongs to another database'))
  if (status === 'unbound' && !(await isEmptyOrKnown(dependencies))) {
    throw new StartupError(rejectionMessage(storage, 'contains files that this database does not know'))
  }
  return status
}

/**
 * Checks the store as `checkFileStore` does, and binds it if it has no marker.
 *
 * @throws StartupError if the store is rejected
 */
export async function bindFileStore(dependencies: BindingDependencies): Promise<Exclude<BindingStatus, 'foreign'>> {
  const status = await checkFileStore(dependencies)
  if (status !== 'unbound') return status
  await writeMarker(dependencies)
  return checkFileStore(dependencies) // another database may have bound it concurrently
}

/**
 * Binds the store at the start of the service. An unavailable store does not prevent the start: it is bound before its
 * first sweep.
 *
 * @returns whether the store is available
 * @throws StartupError if the store is rejected
 */
export async function bindAtStart(dependencies: BindingDependencies, log: Log): Promise<boolean> {
  try {
    if ((await bindFileStore(dependencies)) === 'ahead') log.error(AHEAD_MESSAGE)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    log.warn(
      { err: error },
      'file store unavailable: no file is deleted until the service has verified that the store belongs to this database',
    )
    return false
  }
}

export const AHEAD_MESSAGE =
  'the file store is newer than this database, which seems to be a restored backup or a copy: no file is deleted until you run npm run admin -- adopt-files'

/** Binds the store to the database, whatever it was bound to before. */
export async function adoptFileStore(dependencies: BindingDependencies): Promise<void> {
  const marker = parseMarker((await dependencies.storage.readMarker()) ?? '')
  const { generation } = await dependencies.store.fileStore.identity()
  await dependencies.store.fileStore.setGeneration(Math.max(generation, marker?.generation ?? 0) + 1)
  await writeMarker(dependencies)
}

/** Increments the sweep counter, first in the database: a marker that is ahead would stop all sweeps. */
export async function countSweep(dependencies: BindingDependencies): Promise<void> {
  const { generation } = await dependencies.store.fileStore.identity()
  await dependencies.store.fileStore.setGeneration(generation + 1)
  await writeMarker(dependencies)
}

async function writeMarker({ storage, store }: BindingDependencies): Promise<void> {
  const { databaseId: database, generation } = await store.fileStore.identity()
  await storage.writeMarker(serializeMarker({ database, generation }))
}

/**
 * Returns whether a store without a marker is empty or has files of this database, as stores of earlier versions do.
 */
async function isEmptyOrKnown({ storage, store }: BindingDependencies): Promise<boolean> {
  const keys: string[] = []
  let isEmpty = true
  for await (const { key } of storage.list()) {
    isEmpty = false
    if (storage.isOwnKey(key)) keys.push(key)
    if (keys.length === SAMPLE_KEYS) break
  }
  const { orphans, waiting } = await store.fileStore.withoutRow(keys)
  return isEmpty || orphans.length + waiting.length < keys.length
}

function rejectionMessage({ description }: FileStorage, why: string): string {
  return `${description} ${why}. Nothing was changed. Do one of the following:
  Set FILES_DIR, or S3_BUCKET and S3_PREFIX, to the file store of this database or to an empty one.
  Set DATABASE_URL to the database of these files.
  To use these files with this database from now on, run npm run admin -- adopt-files.`
}
