import { constants } from 'node:fs'
import { access, open, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Impossible } from '../command-line/errors.ts'
import { isReport } from './report-lines.ts'

/** The rows that were refused, a line of JSON each. There is no file before the first one. */
export type Report = {
  readonly path: string
  /**
   * Writes text at a place, and cuts off what stood there: what an import that was interrupted has written and does not
   * know of, or what it writes again.
   *
   * @returns the place behind it
   */
  write(text: string, at: number): Promise<number>
  close(): Promise<void>
}

const HEAD_BYTES = 64

/**
 * A new report, in place of an older one.
 *
 * @throws Impossible when something else is there, or nothing can be
 */
export async function newReport(path: string): Promise<Report> {
  const head = await headOf(path)
  if (head !== undefined && !isReport(head.text)) {
    throw new Impossible(`${path} is there already, and is no report. --report puts the report elsewhere.`)
  }
  await rm(path, { force: true }).catch(refuse(path))
  await access(dirname(path), constants.W_OK).catch(refuse(path))
  return report(path, 'wx')
}

/**
 * The report of an import that was interrupted.
 *
 * @param bytes how much of it the import knows of
 * @throws Impossible when it is not there any more
 */
export async function oldReport(path: string, bytes: number): Promise<Report> {
  const head = await headOf(path)
  if (head === undefined || head.size < bytes || !isReport(head.text)) {
    throw new Impossible(
      `The report that this import has begun is not there any more: ${path}. Put it back, or go on with another one: --report.`,
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
    await file.datasync() // the database will say that it is there
    size = at + bytes.length
    return size
  }
  return {
    path,
    write: (text, at) => write(text, at).catch(refuse(path)),
    async close() {
      await file?.close()
    },
  }
}

/** How a file begins, and how long it is; undefined when there is none. */
async function headOf(path: string): Promise<{ text: string; size: number } | undefined> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return { text: buffer.toString('utf8', 0, bytesRead), size: (await file.stat()).size }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : refuse(path)(error as Error)
  } finally {
    await file?.close()
  }
}

function refuse(path: string): (error: Error) => never {
  return (error) => {
    throw new Impossible(`The report ${path} cannot be written: ${error.message}. --report puts it elsewhere.`, {
      cause: error,
    })
  }
}
