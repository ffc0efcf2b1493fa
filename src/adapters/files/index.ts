import type { Readable } from 'node:stream'
import { Failure, type FieldFailure } from '../../domain/failure.ts'
import { FILE_KINDS, type FileKind, type KeptFile, type ReadyFile } from '../../domain/file.ts'
import type { Upload } from '../../domain/upload.ts'
import type { Log } from '../../log.ts'
import type { Background } from '../background.ts'
import type { ReadContent } from './contents.ts'
import type { FileStorage } from './storage.ts'

/** Uploads by what they are for: the fields of a form that hold files. */
export type UploadsByKind = Readonly<Partial<Record<FileKind, Upload | undefined>>>

/**
 * The files of profiles. An operation that takes some goes this way, so that a failure at any point leaves nothing:
 *
 *     const { ready, wrong } = await files.read({ profile_photo: body.profile_photo, cv_file: body.cv_file }, accountId)
 *     if (there is anything wrong, in files or elsewhere) throw invalidData({ ...wrong, ...others })
 *     await files.keep(ready, async (kept) => {
 *       // one transaction of the store, which writes all rows by `replaceFiles(transaction, accountId, kept)` and
 *       // resolves to the keys that they had before
 *     })
 */
export type Files = {
  /**
   * Judges uploads by their bytes, and makes images anew. What is wrong is told by field: `file_type_not_allowed`,
   * `file_unreadable` or `image_too_large`.
   *
   * @throws Failure 503 `overloaded` when too many images wait, 503 `storage_unavailable` when the disk is full, and 400
   * `malformed_request` when the sender has left
   */
  read(
    uploads: UploadsByKind,
    accountId: number,
  ): Promise<{ ready: ReadyFile[]; wrong: Partial<Record<FileKind, FieldFailure[]>> }>
  /**
   * Writes the files into the storage, all at once, and then runs `commit`, which writes their rows and resolves to the
   * keys of files that have none any more. Those are discarded; when a write or `commit` fails, the new ones are.
   *
   * @throws Failure 503 `storage_unavailable` when a file cannot be written, and what `commit` throws
   */
  keep(ready: readonly ReadyFile[], commit: (kept: KeptFile[]) => Promise<readonly string[]>): Promise<void>
  /** Removes files that have no row any more, in the background. The sweep finds what cannot be removed. */
  discard(keys: readonly string[]): void
  /**
   * Undefined: the storage has no such file.
   *
   * @throws Failure 503 `storage_unavailable` when the file cannot be read; the stream fails with it as well
   */
  open(key: string): Promise<Readable | undefined>
}

export function profileFiles({
  storage,
  readContent,
  background,
  log,
}: {
  storage: FileStorage
  readContent: ReadContent
  background: Background
  log: Log
}): Files {
  const remove = (key: string): Promise<void> =>
    storage.remove(key).catch((error: unknown) => log.warn({ err: error }, 'a file could not be removed'))
  const discard = (keys: readonly string[]): void => {
    if (keys.length === 0) return
    try {
      background.begin('the removal of files', async () => {
        await Promise.all(keys.map(remove))
      })
    } catch (error) {
      log.warn({ err: error }, 'files are left to the sweep')
    }
  }
  return {
    async read(uploads, accountId) {
      const ready: ReadyFile[] = []
      const wrong: Partial<Record<FileKind, FieldFailure[]>> = {}
      for (const [kind, upload] of uploadsOf(uploads)) {
        const content = await readContent(upload, FILE_KINDS[kind], accountId)
        if (typeof content === 'string') wrong[kind] = [content]
        else ready.push({ ...content, kind })
      }
      return { ready, wrong }
    },
    async keep(ready, commit) {
      const files = ready.map((file) => ({ ...file, key: storage.newKey() }))
      try {
        await allDone(files.map(({ key, path, type }) => storage.put(key, path, type)))
        discard(await commit(files.map(({ kind, key, type, bytes }) => ({ kind, key, type, bytes }))))
      } catch (error) {
        if (!mayHaveCommitted(error)) discard(files.map(({ key }) => key)) // a failed write may leave something too
        throw error
      }
    },
    discard,
    open: (key) => storage.read(key),
  }
}

function uploadsOf(uploads: UploadsByKind): [FileKind, Upload][] {
  const kinds = Object.keys(FILE_KINDS) as FileKind[] // no other keys than ours
  return kinds.flatMap((kind) => {
    const upload = uploads[kind]
    return upload ? [[kind, upload] as [FileKind, Upload]] : []
  })
}

/** Waits for all of the work, and throws the first failure only then: nothing is still being written. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}

/** When the connection breaks, nobody knows whether the rows are there: the sweep finds out. */
function mayHaveCommitted(error: unknown): boolean {
  return error instanceof Failure && error.code === 'database_unavailable'
}
