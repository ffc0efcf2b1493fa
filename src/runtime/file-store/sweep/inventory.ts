import type { FileStorage } from '../../../adapters/files/storage.ts'
import type { OwnedFile } from '../../../store/files/file-storage.ts'
import type { Store } from '../../../store/index.ts'
import { readRelation, type FileStoreDependencies, type Relation } from '../ownership/marker.ts'

/** The content of a file store, compared with the rows of the database. */
export type Inventory = Readonly<{
  /** Number of objects with keys in the service's format */
  files: number
  /** Number of other objects, which are never touched */
  foreign: number
  /** Keys without a row */
  orphans: readonly string[]
  /** Keys without a row that are scheduled for deletion */
  waiting: readonly string[]
}>

const BATCH_KEYS = 500
/** Younger files are skipped, because a file is written before its row. No request takes this long. */
const AGE_MS_MIN = 3_600_000

/**
 * Compares the store with the database.
 *
 * @param assertCurrent runs between batches, and rejects if the work must stop
 */
export async function takeInventory(
  storage: FileStorage,
  { fileStore }: Pick<Store, 'fileStore'>,
  nowMs: number,
  assertCurrent: () => Promise<void>,
): Promise<Inventory> {
  const inventory = { files: 0, foreign: 0, orphans: [] as string[], waiting: [] as string[] }
  const compare = async (keys: readonly string[]): Promise<void> => {
    await assertCurrent()
    const found = await fileStore.withoutRow(keys)
    inventory.orphans.push(...found.orphans)
    inventory.waiting.push(...found.waiting)
  }
  let keys: string[] = []
  for await (const { key, storedAtMs } of storage.list()) {
    if (!storage.isOwnKey(key)) inventory.foreign++
    else {
      inventory.files++
      if (storedAtMs < nowMs - AGE_MS_MIN) keys.push(key)
    }
    if (keys.length < BATCH_KEYS) continue
    await compare(keys)
    keys = []
  }
  await compare(keys)
  return inventory
}

/** Describes the store for an operator before it is bound. Writes nothing. */
export async function describeFileStore(
  dependencies: FileStoreDependencies,
): Promise<{ relation: Relation; files: number; known: number }> {
  const { storage, store } = dependencies
  const { files, orphans, waiting } = await takeInventory(storage, store, Infinity, () => Promise.resolve())
  const { relation } = await readRelation(dependencies)
  return { relation, files, known: files - orphans.length - waiting.length }
}

const BATCH_ROWS = 1000

/** Finds files that the database names and the store does not have. Returns them with the number of files of the database. */
export async function findMissingFiles(
  storage: FileStorage,
  { fileStore }: Pick<Store, 'fileStore'>,
): Promise<{ rows: number; missing: OwnedFile[] }> {
  const stored = new Set<string>()
  for await (const { key } of storage.list()) stored.add(key)
  const missing: OwnedFile[] = []
  let rows = 0
  let last: string | undefined = ''
  while (last !== undefined) {
    const batch: OwnedFile[] = await fileStore.listAfter(last, BATCH_ROWS)
    for (const file of batch) {
      if (!stored.has(file.key) && !(await isReadable(storage, file.key))) missing.push(file)
    }
    rows += batch.length
    last = batch.at(-1)?.key
  }
  const { orphans, waiting } = await fileStore.withoutRow(missing.map(({ key }) => key)) // replaced or deleted since
  const replaced = new Set([...orphans, ...waiting])
  return { rows, missing: missing.filter(({ key }) => !replaced.has(key)) }
}

/** Returns whether a file exists that was stored after the store was listed, or in a bucket before prefixes existed. */
async function isReadable(storage: FileStorage, key: string): Promise<boolean> {
  const content = await storage.read(key)
  content?.destroy()
  return content !== undefined
}
