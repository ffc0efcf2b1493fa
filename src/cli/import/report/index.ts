import { constants } from 'node:fs'
import { access, open, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../../program.ts'
import type { ImportState } from '../../../domain/import.ts'
import type { ImportOptions } from '../arguments.ts'
import { isReport } from './lines.ts'

/** The rejected rows, one line of JSON each. The file is created with the first row. */
type Report = {
  readonly path: string
  /**
   * Writes text at an offset and truncates the rest, which an interrupted import wrote but did not record.
   *
   * @returns the offset after the text
   */
  write(text: string, at: number): Promise<number>
  close(): Promise<void>
}

/** A report, and the offset of its next row. */
export type ReportTarget = Readonly<{ report: Report; bytes: number }>

/**
 * Opens the report of an import: next to the file, unless the operator or an earlier run chose another path. A dry run has its own
 * report.
 *
 * @throws CommandError if it cannot be written, or the report of an earlier run no longer exists
 */
export async function chooseReport(options: ImportOptions, { report: before }: ImportState): Promise<ReportTarget> {
  if (options.isDryRun) {
    const path = options.report ?? `${options.file}.dry-run.rejected.jsonl`
    if (path === before?.path)
      throw new CommandError(`${path} is the report of the import. Choose another path for the dry run with --report.`)
    return { report: await newReport(path), bytes: 0 }
  }
  if (before && (options.report === undefined || options.report === before.path)) {
    return { report: await oldReport(before.path, before.bytes), bytes: before.bytes }
  }
  return { report: await newReport(options.report ?? `${options.file}.rejected.jsonl`), bytes: 0 }
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
  return report(path, 'wx')
}

/**
 * Opens the report of an interrupted import.
 *
 * @param bytes how much of it the import has recorded
 * @throws CommandError if it no longer exists
 */
async function oldReport(path: string, bytes: number): Promise<Report> {
  const head = await readHead(path)
  if (head === undefined || head.size < bytes || !isReport(head.text)) {
    throw new CommandError(
      `The report of this import no longer exists: ${path}. Restore it, or choose another path with --report.`,
    )
  }
  return report(path, 'r+')
}

function report(path: string, flags: 'wx' | 'r+'): Report {
  let file: FileHandle | undefined
  let size = flags === 'wx' ? 0 : undefined
  const write = async (text: string, at: number): Promise<number> => {
    if (text === '' && size === at) return at
    file ??= await open(path, flags, 0o600)
    const bytes = Buffer.from(text)
    await file.truncate(at)
    await file.write(bytes, 0, bytes.length, at)
    await file.datasync() // before the database records it
    size = at + bytes.length
    return size
  }
  return {
    path,
    write: (text, at) => write(text, at).catch(throwUnwritable(path)),
    async close() {
      await file?.close()
    },
  }
}

/** Returns the beginning and the size of a file; undefined if it does not exist. */
async function readHead(path: string): Promise<{ text: string; size: number } | undefined> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return { text: buffer.toString('utf8', 0, bytesRead), size: (await file.stat()).size }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : throwUnwritable(path)(error as Error)
  } finally {
    await file?.close()
  }
}

function throwUnwritable(path: string): (error: Error) => never {
  return (error) => {
    throw new CommandError(
      `The report ${path} cannot be written: ${error.message}. Choose another path with --report.`,
      {
        cause: error,
      },
    )
  }
}
