import { addAbortSignal, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { Failure } from '../domain/failure.ts'

/** A text, or a file of so many bytes. */
export type ArchiveEntry = Readonly<{ name: string; at: Date }> &
  (Readonly<{ text: string }> | Readonly<{ file: Readable; bytes: number }>)

/**
 * An archive that is made while it is read. Its entries are asked for one after another, each when the one before it
 * has been read to its end, and the first before anything of the archive is there: what hinders it is thrown.
 *
 * A later one that fails destroys the archive with a Failure: 503 `storage_unavailable` where a file breaks off or is not
 * as long as it should be. `failed` is told. Who destroys the archive closes the file that is open.
 */
export type ZipArchive = (entries: AsyncIterable<ArchiveEntry>, failed: (error: unknown) => void) => Promise<Readable>

/** Images and PDFs hardly get smaller. Stored as they are, readers that cannot go back would not know where they end. */
const FASTEST = 1
const RETRY_AFTER_SECONDS = 5

export const zipArchive: ZipArchive = async (entries, failed) => {
  const iterator = entries[Symbol.asyncIterator]()
  const first = await iterator.next()
  const zip = new ZipFile()
  const output = zip.outputStream as unknown as Readable // of which its types say less
  const left = new AbortController()
  output.on('error', failed).once('close', () => left.abort())
  zip.on('error', (cause: unknown) => output.destroy(broken(cause))) // a file of another length

  fill(zip, following(first, iterator), left.signal).catch((error: unknown) => output.destroy(error as Error))
  return output
}

/** What an iterator still has behind its first result. */
async function* following<Entry>(
  first: IteratorResult<Entry>,
  rest: AsyncIterator<Entry>,
): AsyncGenerator<Entry, void> {
  try {
    for (let result = first; result.done !== true; result = await rest.next()) yield result.value
  } finally {
    await rest.return?.()
  }
}

async function fill(zip: ZipFile, entries: AsyncIterable<ArchiveEntry>, left: AbortSignal): Promise<void> {
  for await (const entry of entries) {
    const { name, at: mtime } = entry
    if ('text' in entry) {
      left.throwIfAborted()
      zip.addBuffer(Buffer.from(entry.text), name, { mtime })
    } else {
      const file = addAbortSignal(left, entry.file)
      zip.addReadStream(file, name, { mtime, size: entry.bytes, compressionLevel: FASTEST })
      await finished(file, { writable: false }).catch((cause: unknown) => {
        throw broken(cause)
      })
    }
  }
  zip.end()
}

function broken(cause: unknown): Failure {
  return new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}
