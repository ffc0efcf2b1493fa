import { addAbortSignal, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { Failure } from '../domain/failure.ts'

/** A text, or a file with its length in bytes. */
type ArchiveEntry = Readonly<{ name: string; at: Date }> &
  (Readonly<{ text: string }> | Readonly<{ file: Readable; bytes: number }>)

/** Images and PDFs hardly shrink. Storing them uncompressed would hide their end from streaming readers. */
const FASTEST_COMPRESSION = 1
const RETRY_AFTER_SECONDS = 5

/**
 * Creates an archive while it is read. An entry is requested when the previous one has been read completely. The first
 * one is requested before the archive starts, so its error is thrown.
 *
 * A later error destroys the archive with a Failure (503 `storage_unavailable` if a file breaks off or has another
 * length) and is passed to `onError`. Destroying the archive closes the open file.
 */
export async function zipArchive(
  entries: AsyncIterable<ArchiveEntry>,
  onError: (error: unknown) => void,
): Promise<Readable> {
  const iterator = entries[Symbol.asyncIterator]()
  const first = await iterator.next()
  const zip = new ZipFile()
  const output = zip.outputStream
  if (!(output instanceof Readable)) throw new TypeError('yazl returned a stream of another kind')
  const abandoned = new AbortController()
  output.on('error', onError).once('close', () => abandoned.abort())
  zip.on('error', (cause: unknown) => output.destroy(storageFailure(cause))) // a file with another length

  const addEntries = async (): Promise<void> => {
    try {
      for (let result = first; !result.done; result = await iterator.next())
        await addEntry(zip, result.value, abandoned.signal)
    } finally {
      await iterator.return?.()
    }
    zip.end()
  }
  addEntries().catch((error: unknown) => output.destroy(error as Error))
  return output
}

async function addEntry(zip: ZipFile, entry: ArchiveEntry, abandoned: AbortSignal): Promise<void> {
  const { name, at: mtime } = entry
  if ('text' in entry) {
    abandoned.throwIfAborted()
    zip.addBuffer(Buffer.from(entry.text), name, { mtime })
    return
  }
  const file = addAbortSignal(abandoned, entry.file)
  zip.addReadStream(file, name, { mtime, size: entry.bytes, compressionLevel: FASTEST_COMPRESSION })
  await finished(file, { writable: false }).catch((cause: unknown) => {
    throw storageFailure(cause)
  })
}

function storageFailure(cause: unknown): Failure {
  return new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}
