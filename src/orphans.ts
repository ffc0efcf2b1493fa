import type { FileStorage } from './adapters/files/storage.ts'
import type { Store } from './store/index.ts'

const KEYS_AT_ONCE = 500
/** A file is written before its row: no request takes so long. */
const AGE_MS_MIN = 3_600_000

/** Removes files that have no row: those of accounts that were deleted, and of processes that ended at a bad moment. */
export async function sweepOrphans(storage: FileStorage, { files }: Store, nowMs: number): Promise<void> {
  const removeOrphans = async (keys: readonly string[]): Promise<void> => {
    const present = await files.present(keys)
    for (const key of keys) if (!present.has(key)) await storage.remove(key)
  }
  let keys: string[] = []
  for await (const { key, storedAtMs } of storage.list()) {
    if (storedAtMs < nowMs - AGE_MS_MIN) keys.push(key)
    if (keys.length < KEYS_AT_ONCE) continue
    await removeOrphans(keys)
    keys = []
  }
  await removeOrphans(keys)
}
