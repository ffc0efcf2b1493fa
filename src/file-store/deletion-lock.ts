import type { FileStorage } from '../adapters/files/storage.ts'

/**
 * Whether the deletion of files is locked: until the store is known to belong to the database, and while the database
 * seems to be older than the store.
 */
export type DeletionLock = { isLocked: boolean }

/**
 * The same store, in which nothing is deleted while the lock is on. An instance on a restored backup, for example a test
 * system that still has the variables of production, then leaves the files of the other one alone.
 */
export function withDeletionLock(storage: FileStorage, lock: DeletionLock): FileStorage {
  return {
    ...storage,
    async remove(key) {
      if (!lock.isLocked) await storage.remove(key)
    },
  }
}
