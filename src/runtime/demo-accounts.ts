import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FileStorage } from '../adapters/files/storage.ts'
import type { Config } from '../config/index.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/index.ts'

const DEMO_DOCUMENT_PATH = fileURLToPath(new URL('../../../prisma/demo/document.png', import.meta.url))

/**
 * Adds the demo accounts if they are configured. Resolves to whether they can be used.
 *
 * @param storage undefined if the file store is unavailable; the start does not wait for it again
 */
export async function prepareDemoAccounts(
  store: Store,
  storage: FileStorage | undefined,
  { hasDemoData, isProduction }: Config,
  log: Log,
): Promise<boolean> {
  if (hasDemoData) {
    const present = await store.addDemoAccounts()
    if (present) {
      await addFiles(store, storage).catch((error: unknown) =>
        log.warn({ err: error }, 'files of the demo accounts could not be stored'),
      )
    }
    return present
  }
  const present = isProduction && (await store.hasDemoAccounts())
  if (present)
    log.warn('the database contains demo accounts, whose password is public (run npm run admin -- suspend for each)')
  return present
}

async function addFiles(store: Store, storage: FileStorage | undefined): Promise<void> {
  if (!storage) throw new Error('file store unavailable')
  const type = 'image/png'
  await store.addDemoFiles(async () => {
    const key = storage.newKey()
    await storage.put(key, DEMO_DOCUMENT_PATH, type)
    return { key, type, bytes: (await stat(DEMO_DOCUMENT_PATH)).size }
  })
}
