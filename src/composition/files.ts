import type { Background } from '../adapters/background.ts'
import { createContentReader } from '../adapters/files/contents.ts'
import { directoryStorage } from '../adapters/files/directory.ts'
import { resilientStorage } from '../adapters/files/resilient-storage.ts'
import { profileFiles } from '../adapters/files/index.ts'
import { signedLinks } from '../adapters/files/links.ts'
import type { FileStorage } from '../adapters/files/storage.ts'
import type { KeyRing } from '../adapters/keys/key-ring.ts'
import { zipArchive } from '../adapters/zip.ts'
import type { Config } from '../config/index.ts'
import type { FileParts } from '../context.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import { prepareDemoAccounts } from '../runtime/demo-accounts.ts'
import { openFileStore, type FileStore } from '../runtime/file-store/index.ts'
import { watchOwnership } from '../runtime/file-store/ownership/status.ts'
import type { Store } from '../store/index.ts'

export async function openStorage(
  { files }: Config,
  { metrics, tracer }: Partial<Observers> = {},
): Promise<FileStorage> {
  const guard = { ...files.guard, metrics }
  if ('directory' in files) return resilientStorage(directoryStorage(files.directory), guard)
  const { s3Storage } = await import('../adapters/files/s3.ts')
  return resilientStorage(s3Storage({ ...files.s3, tracer }), guard)
}

type StoreDependencies = { store: Store; clock: Clock; log: Log; observers: Observers }

/** Opens the file store, and adds the demo accounts and their files if they are configured. */
export async function openFiles(
  config: Config,
  { store, clock, log, observers }: StoreDependencies,
): Promise<{ fileStore: FileStore; hasDemoAccounts: boolean }> {
  const fileStore = openFileStore({ storage: await openStorage(config, observers), store, clock, log })
  watchOwnership(observers.metrics, fileStore.status)
  const isReachable = await fileStore.start()
  const hasDemoAccounts = await prepareDemoAccounts(store, isReachable ? fileStore.storage : undefined, config, log)
  return { fileStore, hasDemoAccounts }
}

type Dependencies = { storage: FileStorage; keys: KeyRing; background: Background; clock: Clock; log: Log }

export async function buildFiles(
  { storage, keys, background, clock, log }: Dependencies,
  { metrics }: Observers,
): Promise<FileParts> {
  return {
    files: profileFiles({ storage, readContent: createContentReader(metrics), background, log }),
    fileLinks: await keys.use((current) => signedLinks(current.links, clock)),
    zipArchive,
  }
}
