import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { PhoneNumbers } from '../../adapters/sms/phone-numbers.ts'
import { CommandError } from '../program.ts'
import type { Clock } from '../../domain/clock.ts'
import type { ImportState } from '../../domain/import.ts'
import type { FileImport, Imports } from '../../store/imports/index.ts'
import type { ImportOptions } from './arguments.ts'
import { findRejectedRows, readBatches, type Batch, type Outcome } from './batches.ts'
import { chooseReport, type Report } from './report/index.ts'
import { reportLine } from './report/lines.ts'
import { requireFactorSupport, type FactorSupport } from './factor-support.ts'
import { advanceState, type Progress } from './progress.ts'
import { dryRun } from './dry-run.ts'
import { rowCheck } from './rows/row-check.ts'
import { rowSchema } from './rows/row-schema.ts'
import type { Row } from './readers/lines.ts'
import { readRows } from './readers/rows.ts'
import { describeResume } from './report/summary.ts'

/** Keeps the database busy while rows are read */
const PREFETCHED_BATCHES = 4
/** Rows of this size are checked at once; responses of the database wait meanwhile. */
const CHUNK_BYTES = 16_384

type Dependencies = {
  imports: Imports
  phoneNumbers: PhoneNumbers
  factorSupport: FactorSupport
  clock: Clock
  progress: Progress
  /** Prints a message before the first row. */
  notify: (text: string) => void
  /** Aborted when the operator interrupts the import */
  signal: AbortSignal
}

/**
 * Imports the rows of a file that an earlier import of the same file has not imported yet.
 *
 * @throws CommandError if the file cannot be imported, OtherImport if another process is importing it
 */
export async function importFile(options: ImportOptions, dependencies: Dependencies): Promise<Outcome> {
  const file = await open(options.file).catch((error: unknown) => {
    throw new CommandError(`${options.file} cannot be read: ${(error as Error).message}.`, { cause: error })
  })
  try {
    if (!(await file.stat()).isFile()) throw new CommandError(`${options.file} is not a file.`)
    const fileImport = await dependencies.imports.open(await hashFile(file), !options.isDryRun)
    try {
      return await resume(options, file, fileImport, dependencies)
    } finally {
      await fileImport.close()
    }
  } finally {
    await file.close()
  }
}

async function resume(
  options: ImportOptions,
  file: FileHandle,
  fileImport: FileImport,
  dependencies: Dependencies,
): Promise<Outcome> {
  const { phoneNumbers, factorSupport, clock, progress, notify, signal } = dependencies
  const initial = await fileImport.state()
  if (initial.finishedAt) return { state: initial, end: 'known', rows: 0, ms: 0 }

  const schema = rowSchema()
  const isUnchanged = await watchFile(file)
  const rows = (): AsyncGenerator<Row[]> => {
    const bytes = file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })
    return readRows(bytes as AsyncIterable<Buffer>, options.format, schema, initial.rows)
  }
  await requireFactorSupport(rows, factorSupport.obstacles, signal)
  const check = rowCheck(schema, { phoneNumbers, factors: factorSupport.rules, nowMs: () => clock.nowMs() })
  const batches = Readable.from(readBatches(rows(), check), { highWaterMark: PREFETCHED_BATCHES })
  batches.on('error', () => undefined) // thrown to the reader; batches that were read ahead are read again by the next run
  await once(batches, 'readable') // an error that affects all batches is thrown before the report is opened
  const report = await chooseReport(options, initial)
  if (initial.rows > 0) notify(describeResume(initial))
  const startMs = clock.nowMs()
  progress.start(initial, (await file.stat()).size)
  try {
    const add = options.isDryRun ? dryRun(fileImport) : fileImport.add
    const { state, isComplete } = await writeBatches(batches, initial, { add, report, isUnchanged, progress, signal })
    if (isComplete && !options.isDryRun) await fileImport.finish()
    const ms = clock.nowMs() - startMs
    return { state, end: isComplete ? 'done' : 'stopped', rows: state.rows - initial.rows, ms }
  } finally {
    progress.end()
    await report.close()
  }
}

type Writing = {
  add: FileImport['add']
  report: Report
  isUnchanged: () => Promise<boolean>
  progress: Progress
  signal: AbortSignal
}

/** Writes one batch after the other while the next ones are read and checked. */
async function writeBatches(
  batches: AsyncIterable<Batch>,
  initial: ImportState,
  { add, report, isUnchanged, progress, signal }: Writing,
): Promise<{ state: ImportState; isComplete: boolean }> {
  let state = initial
  let reportEnd = report.bytes
  for await (const batch of batches) {
    if (signal.aborted) return { state, isComplete: false }
    if (!(await isUnchanged())) throw new CommandError(FILE_CHANGED)
    const [before, start] = [state, reportEnd]
    // The report is written first. An interrupted import truncates what the database has not recorded.
    state = await add(batch.accounts, before, async (taken) => {
      const rejected = findRejectedRows(batch, taken)
      reportEnd = await report.write(rejected.map(reportLine).join(''), start)
      const reported = reportEnd > 0 ? { path: report.path, bytes: reportEnd } : before.report
      return advanceState(before, batch, rejected, reported)
    })
    progress.show(state, batch.rows.at(-1)?.end ?? 0)
  }
  return { state, isComplete: true }
}

const FILE_CHANGED = 'The file was changed during the import. Import the changed file again from the beginning.'

/** Returns the SHA-256 of a file in hexadecimal digits, which identifies it also after it was moved or copied. */
async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of file.createReadStream({ start: 0, autoClose: false })) hash.update(bytes as Buffer)
  return hash.digest('hex')
}

/** Returns a function that checks whether the file has changed since. */
async function watchFile(file: FileHandle): Promise<() => Promise<boolean>> {
  const before = await file.stat()
  return async () => {
    const now = await file.stat()
    return now.size === before.size && now.mtimeMs === before.mtimeMs
  }
}
