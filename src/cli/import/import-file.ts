import { open, type FileHandle } from 'node:fs/promises'
import type { PhoneNumbers } from '../../adapters/sms/phone-numbers.ts'
import { CommandError } from '../errors.ts'
import type { Clock } from '../../domain/clock.ts'
import type { FileImport, Imports } from '../../store/imports/index.ts'
import type { Options } from './arguments.ts'
import { prefetch, readBatches, type Outcome } from './batches.ts'
import { chooseReport } from './report/choose-report.ts'
import { hashFile, watchFile } from './file-hash.ts'
import { requireFactorSupport, type FactorSupport } from './factor-support.ts'
import type { Progress } from './progress.ts'
import { dryRun } from './dry-run.ts'
import { rowCheck } from './rows/row-check.ts'
import { rowSchema } from './rows/row-schema.ts'
import type { Row } from './readers/row.ts'
import { readRows } from './readers/rows.ts'
import { describeResume } from './report/summary.ts'
import { writeBatches } from './write-batches.ts'

type ImportOptions = Extract<Options, { name: 'import' }>

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
  const batches = await prefetch(readBatches(rows(), check), PREFETCHED_BATCHES)
  const target = await chooseReport(options, initial)
  if (initial.rows > 0) notify(describeResume(initial))
  const startMs = clock.nowMs()
  progress.start(initial, (await file.stat()).size)
  try {
    const add = options.isDryRun ? dryRun(fileImport) : fileImport.add
    const { state, isComplete } = await writeBatches(batches, initial, { add, target, isUnchanged, progress, signal })
    if (isComplete && !options.isDryRun) await fileImport.finish()
    const ms = clock.nowMs() - startMs
    return { state, end: isComplete ? 'done' : 'stopped', rows: state.rows - initial.rows, ms }
  } finally {
    progress.end()
    await target.report.close()
  }
}
