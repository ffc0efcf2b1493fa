import type { FileStorage } from '../../adapters/files/storage.ts'
import type { Store } from '../../store/index.ts'

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
