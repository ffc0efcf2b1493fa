import type { FileStorage } from '../../adapters/files/storage.ts'

/**
 * Locks the deletion of files until the store is known to belong to the database, and while the database seems to be
 * older than the store.
 */
export type DeletionLock = { isLocked: boolean }

/**
 * Wraps a storage so that nothing is deleted while the lock is on. This protects the files of production from a test
 * system that runs on a restored backup with production's variables.
 */
export function withDeletionLock(storage: FileStorage, lock: DeletionLock): FileStorage {
  return {
    ...storage,
    async remove(key) {
      if (!lock.isLocked) await storage.remove(key)
    },
  }
}
