import type { Readable } from 'node:stream'
import { Failure, type FieldFailure } from '../../domain/failure.ts'
import { FILE_KINDS, type FileKind, type FileObject, type ReadyFile, type Upload } from '../../domain/files/file.ts'
import type { Log } from '../../lib/log.ts'
import type { Background } from '../background.ts'
import type { ReadContent } from './contents.ts'
import type { FileStorage } from './storage.ts'

/** Stores the files of profiles. `read` all, and then `store` what was accepted, so that a failure stores nothing. */
export type Files = {
  /**
   * Validates the uploads of form fields by their bytes and re-encodes images. The errors by field are
   * `file_type_not_allowed`, `file_unreadable` or `image_too_large`.
   *
   * @throws Failure 503 `overloaded` if the queue is full, 503 `storage_unavailable` if the disk is full, and 400
   * `malformed_request` if the client disconnected
   */
  read(
    uploads: Readonly<Partial<Record<FileKind, Upload | undefined>>>,
    accountId: number,
  ): Promise<{ ready: ReadyFile[]; fieldErrors: Partial<Record<FileKind, FieldFailure[]>> }>
  /**
   * Writes the files to the storage, then runs `commit`, which writes their rows and resolves to the keys of files that
   * have no row any more. Removes those files. If a write or `commit` fails, the new files are removed instead.
   *
   * @throws Failure 503 `storage_unavailable` if a file cannot be written, and whatever `commit` throws
   */
  store(ready: readonly ReadyFile[], commit: (stored: FileObject[]) => Promise<readonly string[]>): Promise<void>
  /** Removes files without a row, in the background. The hourly sweep removes those that could not be removed. */
  discard(keys: readonly string[]): void
  /**
   * Opens a file; undefined if the storage does not have it.
   *
   * @throws Failure 503 `storage_unavailable` if the file cannot be read; the stream fails with it too
   */
  open(key: string): Promise<Readable | undefined>
}

const KINDS = Object.keys(FILE_KINDS) as FileKind[] // the type has no other keys

type Dependencies = Readonly<{ storage: FileStorage; readContent: ReadContent; background: Background; log: Log }>

export function profileFiles({ storage, readContent, background, log }: Dependencies): Files {
  const remove = (key: string): Promise<void> =>
    storage
      .remove(key)
      .catch((error: unknown) => log.warn({ err: error }, 'file could not be deleted, left to the file sweep'))
  const discard = (keys: readonly string[]): void => {
    if (keys.length === 0) return
    try {
      background.enqueue('file deletion', async () => {
        await Promise.all(keys.map(remove))
      })
    } catch (error) {
      log.warn({ err: error }, 'files could not be deleted, left to the file sweep')
    }
  }
  return {
    async read(uploads, accountId) {
      const ready: ReadyFile[] = []
      const fieldErrors: Partial<Record<FileKind, FieldFailure[]>> = {}
      for (const kind of KINDS) {
        const upload = uploads[kind]
        if (!upload) continue
        const content = await readContent(upload, FILE_KINDS[kind], accountId)
        if (typeof content === 'string') fieldErrors[kind] = [content]
        else ready.push({ ...content, kind })
      }
      return { ready, fieldErrors }
    },
    async store(ready, commit) {
      const files = ready.map((file) => ({ ...file, key: storage.newKey() }))
      try {
        const writes = files.map(({ key, path, type }) => storage.put(key, path, type))
        await Promise.allSettled(writes) // before the first failure is thrown, so that nothing is still being written
        await Promise.all(writes)
        discard(await commit(files.map(({ kind, key, type, bytes }) => ({ kind, key, type, bytes }))))
      } catch (error) {
        // After a lost connection it is unknown whether the rows exist: the hourly sweep decides.
        const mayHaveCommitted = error instanceof Failure && error.code === 'database_unavailable'
        if (!mayHaveCommitted) discard(files.map(({ key }) => key)) // a failed write may leave a file
        throw error
      }
    },
    discard,
    open: (key) => storage.read(key),
  }
}
