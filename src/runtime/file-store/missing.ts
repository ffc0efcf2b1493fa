import type { FileStorage } from '../../adapters/files/storage.ts'
import type { OwnedFile } from '../../store/files/file-storage.ts'
import type { Store } from '../../store/index.ts'

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
