import { constants, createReadStream } from 'node:fs'
import { access, open, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { CommandError } from '../../program.ts'
import type { ImportState } from '../../../domain/import.ts'
import type { ImportOptions } from '../arguments.ts'
import { isReport } from './lines.ts'

/** The rejected rows, one line of JSON each. The file is created with the first row. */
export type Report = {
  readonly path: string
  /** The offset of the next row at the start */
  readonly bytes: number
  /**
   * Writes rows at an offset and truncates the rest, which an interrupted import wrote but did not record.
   *
   * @returns the offset after them
   */
  write(rows: string, at: number): Promise<number>
  close(): Promise<void>
}

/**
 * Opens the report of an import: next to the file, unless the operator or an earlier run chose another path. A dry run has its own
 * report.
 *
 * @throws CommandError if it cannot be written, or the report of an earlier run no longer exists
 */
export async function chooseReport(options: ImportOptions, { report: before }: ImportState): Promise<Report> {
  if (options.isDryRun) {
    const path = options.report ?? `${options.file}.dry-run.rejected.jsonl`
    if (path === before?.path)
      throw new CommandError(`${path} is the report of the import. Choose another path for the dry run with --report.`)
    return newReport(path)
  }
  if (before && (options.report === undefined || options.report === before.path)) return oldReport(before)
  return newReport(options.report ?? `${options.file}.rejected.jsonl`)
}

const HEAD_BYTES = 64

/**
 * Creates a report and replaces an older one.
 *
 * @throws CommandError if another file exists at the path, or the path is not writable
 */
async function newReport(path: string): Promise<Report> {
  const head = await readHead(path)
  if (head !== undefined && !isReport(head.text)) {
    throw new CommandError(`${path} exists and is not a report. Choose another path with --report.`)
  }
  await rm(path, { force: true }).catch(throwUnwritable(path))
  await access(dirname(path), constants.W_OK).catch(throwUnwritable(path))
  return report(path, 0, 'wx')
}

/**
 * Opens the report of an interrupted import, which has recorded so many bytes of it.
 *
 * @throws CommandError if it no longer exists
 */
async function oldReport({ path, bytes }: NonNullable<ImportState['report']>): Promise<Report> {
  const head = await readHead(path)
  if (head === undefined || head.size < bytes || !isReport(head.text)) {
    throw new CommandError(
      `The report of this import no longer exists: ${path}. Restore it, or choose another path with --report.`,
    )
  }
  return report(path, bytes, 'r+')
}

function report(path: string, bytes: number, flags: 'wx' | 'r+'): Report {
  let file: FileHandle | undefined
  let size = flags === 'wx' ? 0 : undefined
  const write = async (rows: string, at: number): Promise<number> => {
    if (rows === '' && size === at) return at
    file ??= await open(path, flags, 0o600)
    const content = Buffer.from(rows)
    await file.truncate(at)
    await file.write(content, 0, content.length, at)
    await file.datasync() // before the database records it
    size = at + content.length
    return size
  }
  return {
    ...{ path, bytes },
    write: (rows, at) => write(rows, at).catch(throwUnwritable(path)),
    async close() {
      await file?.close()
    },
  }
}

/** Returns the beginning and the size of a file; undefined if it does not exist. */
async function readHead(path: string): Promise<{ text: string; size: number } | undefined> {
  try {
    const { size } = await stat(path)
    return { text: await text(createReadStream(path, { end: HEAD_BYTES - 1 })), size }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : throwUnwritable(path)(error as Error)
  }
}

function throwUnwritable(path: string): (error: Error) => never {
  return (error) => {
    const advice = 'Choose another path with --report.'
    throw new CommandError(`The report ${path} cannot be written: ${error.message}. ${advice}`, { cause: error })
  }
}
