// When files are deleted. A file that a profile no longer has: after the commit of the change (../../adapters/files/index.ts). The files of
// a deleted account: by the sweep that follows at once. A file without a row in this database, such as that of a request that was
// killed: a week after an hourly sweep has found it (./sweep/index.ts). In each case, only objects with the keys of the service are
// deleted, and only by the database that holds the store (./ownership/index.ts).
import type { FileStorage } from '../../adapters/files/storage.ts'
import { Failure } from '../../domain/failure.ts'
import { createOwnership, type Ownership } from './ownership/index.ts'
import { sweepFiles, type SweepDependencies, type SweepOptions, type SweepResult } from './sweep/index.ts'

/** The file store of the service, from which only the holder deletes */
export type FileStore = Ownership & {
  storage: FileStorage
  /** Renews at the start. A store that does not respond does not prevent the start. Returns whether it responds. */
  start(): Promise<boolean>
  /** Sweeps the store, unless it is not known yet whether this database is the holder. */
  sweep(options?: SweepOptions): Promise<SweepResult | undefined>
}

/** Removals that wait for the state to be known. A sweep finds those that a restart loses. */
const WAITING_MAX = 10_000

export function openFileStore(dependencies: Omit<SweepDependencies, 'mayDelete'>): FileStore {
  const { storage, log } = dependencies
  const ownership = createOwnership(dependencies)
  const { isHolder, status } = ownership
  const waiting = new Set<string>()
  const remove = async (key: string): Promise<void> => {
    if (await isHolder()) await storage.remove(key)
    else if (status().state === 'waiting' && waiting.size < WAITING_MAX) waiting.add(key)
  }
  const renew = async (): ReturnType<Ownership['renew']> => {
    const state = await ownership.renew()
    if (state === 'waiting') return state
    const keys = [...waiting]
    waiting.clear()
    for (const key of keys) await remove(key)
    return state
  }
  return {
    ...ownership,
    renew,
    storage: { ...storage, remove },
    async start() {
      try {
        await renew()
        return true
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        log.warn({ err: error }, 'file store unavailable: no file is deleted until the service can read its marker')
        return false
      }
    },
    sweep: async (options) =>
      status().state === 'waiting' ? undefined : sweepFiles({ ...dependencies, mayDelete: isHolder }, options),
  }
}
