// A file store belongs to one database, which a marker in the store names. This prevents an instance with a wrong
// variable or an empty database from deleting the files of another one.
import type { FileStorage } from '../../../adapters/files/storage.ts'
import { StartupError } from '../../../lib/startup-error.ts'
import { readRelation, renewMarker, type FileStoreDependencies, type View } from './marker.ts'

/** Number of objects that are compared with the database to recognize a store without a marker */
const SAMPLE_KEYS = 1000
/** After this time, what the store contains is this database's decision: orphans are deleted, and deleted accounts. */
export const QUARANTINE_DAYS = 7
const ADOPTIONS_MAX = 5

/**
 * Rejects a store that belongs to another database, or that has no marker and contains unknown files. Writes nothing.
 *
 * @throws StartupError if the store is rejected
 */
export async function checkFileStore(dependencies: FileStoreDependencies): Promise<View> {
  const view = await readRelation(dependencies)
  const { relation } = view
  if (relation === 'foreign') throw rejection(dependencies.storage, 'belongs to another database')
  if (relation === 'unbound' && !(await isEmptyOrKnown(dependencies))) {
    throw rejection(dependencies.storage, 'contains files that this database does not know')
  }
  return view
}

/**
 * Binds the store to this database, whatever it was bound to before. All scheduled deletions wait again, because other
 * databases may have used the files since.
 */
export async function adoptFileStore(dependencies: FileStoreDependencies, nowMs: number): Promise<void> {
  const { storage, store } = dependencies
  const isConditional = await storage.hasConditionalWrites()
  const holder = await store.fileStore.describeDatabase()
  for (let attempt = 0; attempt < ADOPTIONS_MAX; attempt++) {
    const view = await readRelation(dependencies)
    const options = { holder, nowMs, postponeDays: QUARANTINE_DAYS, isConditional }
    if (await renewMarker(dependencies, view, options)) return
  }
  throw new Error('the marker of the file store changed meanwhile')
}

/**
 * Returns whether a store without a marker is empty or has files of this database, as stores of earlier versions do.
 */
async function isEmptyOrKnown({ storage, store }: FileStoreDependencies): Promise<boolean> {
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

function rejection({ description }: FileStorage, why: string): StartupError {
  return new StartupError(`${description} ${why}. Nothing was changed. Do one of the following:
  Set FILES_DIR, or S3_BUCKET and S3_PREFIX, to the file store of this database or to an empty one.
  Set DATABASE_URL to the database of these files.
  To use these files with this database from now on, run npm run admin -- adopt-files.`)
}
