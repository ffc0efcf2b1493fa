import type { FileStorage } from '../adapters/files/storage.ts'
import type { Store } from '../store/index.ts'

/** What a file store holds, compared with the rows of the database. */
export type Stock = Readonly<{
  /** How many objects have keys of our own shape */
  files: number
  /** How many objects of others are there: they are never touched */
  foreign: number
  /** Keys without a row */
  orphans: readonly string[]
  /** Keys without a row whose deletion is scheduled */
  waiting: readonly string[]
}>

const KEYS_AT_ONCE = 500
/** A file is written before its row: no request takes so long. */
const AGE_MS_MIN = 3_600_000

/** @param goOn is awaited between batches, and rejects when the work must not go on */
export async function stockOf(
  storage: FileStorage,
  { fileStore }: Pick<Store, 'fileStore'>,
  nowMs: number,
  goOn: () => Promise<void>,
): Promise<Stock> {
  const stock = { files: 0, foreign: 0, orphans: [] as string[], waiting: [] as string[] }
  const compare = async (keys: readonly string[]): Promise<void> => {
    await goOn()
    const found = await fileStore.withoutRow(keys)
    stock.orphans.push(...found.orphans)
    stock.waiting.push(...found.waiting)
  }
  let keys: string[] = []
  for await (const { key, storedAtMs } of storage.list()) {
    if (!storage.isOwnKey(key)) stock.foreign++
    else {
      stock.files++
      if (storedAtMs < nowMs - AGE_MS_MIN) keys.push(key)
    }
    if (keys.length < KEYS_AT_ONCE) continue
    await compare(keys)
    keys = []
  }
  await compare(keys)
  return stock
}
