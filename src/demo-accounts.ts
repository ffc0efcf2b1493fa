import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FileStorage } from './adapters/files/storage.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { Store } from './store/index.ts'

const DOCUMENT = fileURLToPath(new URL('../../prisma/demo/document.png', import.meta.url))

/**
 * Adds the demo accounts where the configuration wants them; resolves to whether they can be used.
 *
 * @param storage undefined while it does not answer: the start does not wait for it a second time
 */
export async function demoAccounts(
  store: Store,
  storage: FileStorage | undefined,
  { hasDemoData, isProduction }: Config,
  log: Log,
): Promise<boolean> {
  if (hasDemoData) {
    const present = await store.addDemoAccounts()
    if (present) {
      await addFiles(store, storage).catch((error: unknown) =>
        log.warn({ err: error }, 'the demo accounts have no files'),
      )
    }
    return present
  }
  const present = isProduction && (await store.hasDemoAccounts())
  if (present) log.warn('the database has demo accounts, whose password everybody knows')
  return present
}

async function addFiles(store: Store, storage: FileStorage | undefined): Promise<void> {
  if (!storage) throw new Error('the file store does not answer')
  const type = 'image/png'
  await store.addDemoFiles(async () => {
    const key = storage.newKey()
    await storage.put(key, DOCUMENT, type)
    return { key, type, bytes: (await stat(DOCUMENT)).size }
  })
}
