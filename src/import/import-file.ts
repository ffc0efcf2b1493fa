import { open, type FileHandle } from 'node:fs/promises'
import type { PhoneNumbers } from '../adapters/phone-numbers.ts'
import { Impossible } from '../command-line/errors.ts'
import type { Clock } from '../domain/clock.ts'
import type { FileImport, Imports } from '../store/imports.ts'
import type { Order } from './arguments.ts'
import { ahead } from './ahead.ts'
import { batchesOf } from './batches.ts'
import { chooseReport } from './choose-report.ts'
import { fingerprintOf, watchFile } from './fingerprint.ts'
import type { Outcome } from './outcome.ts'
import type { Progress } from './progress.ts'
import { rehearsal } from './rehearsal.ts'
import { rowCheck } from './row-check.ts'
import { rowSchema } from './row-schema.ts'
import { rowsOf } from './rows.ts'
import { greeting } from './summary.ts'
import { writeBatches } from './write-batches.ts'

type ImportOrder = Extract<Order, { name: 'import' }>

/** So that the database has always something to do */
const BATCHES_AHEAD = 4
/** Rows are checked so many at once, and what the database says waits as long. */
const CHUNK_BYTES = 16_384

type Parts = {
  imports: Imports
  phoneNumbers: PhoneNumbers
  clock: Clock
  progress: Progress
  /** Says something before the first row. */
  tell: (text: string) => void
  /** Says that the operator wants to stop */
  signal: AbortSignal
}

/**
 * Imports what an import of the same file has not imported yet.
 *
 * @throws Impossible when the file cannot be imported, OtherImport when another process does it
 */
export async function importFile(order: ImportOrder, parts: Parts): Promise<Outcome> {
  const file = await open(order.file).catch((error: unknown) => {
    throw new Impossible(`${order.file} cannot be read: ${(error as Error).message}.`, { cause: error })
  })
  try {
    if (!(await file.stat()).isFile()) throw new Impossible(`${order.file} is no file.`)
    const own = await parts.imports.open(await fingerprintOf(file), !order.isDryRun)
    try {
      return await goOn(order, file, own, parts)
    } finally {
      await own.close()
    }
  } finally {
    await file.close()
  }
}

async function goOn(order: ImportOrder, file: FileHandle, own: FileImport, parts: Parts): Promise<Outcome> {
  const { phoneNumbers, clock, progress, tell, signal } = parts
  const began = await own.state()
  if (began.finishedAt) return { state: began, end: 'known', rows: 0, ms: 0 }

  const schema = rowSchema()
  const isUnchanged = await watchFile(file)
  const bytes = file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })
  const rows = rowsOf(bytes as AsyncIterable<Buffer>, order.format, schema, began.rows)
  const check = rowCheck(schema, phoneNumbers, () => clock.nowMs())
  const batches = await ahead(batchesOf(rows, check), BATCHES_AHEAD)
  const place = await chooseReport(order, began)
  if (began.rows > 0) tell(greeting(began))
  const startMs = clock.nowMs()
  progress.begin(began, (await file.stat()).size)
  try {
    const add = order.isDryRun ? rehearsal(own) : own.add
    const { state, isWhole } = await writeBatches(batches, began, { add, place, isUnchanged, progress, signal })
    if (isWhole && !order.isDryRun) await own.finish()
    const ms = clock.nowMs() - startMs
    return { state, end: isWhole ? 'done' : 'stopped', rows: state.rows - began.rows, ms }
  } finally {
    progress.end()
    await place.report.close()
  }
}
