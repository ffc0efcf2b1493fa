import { once } from 'node:events'
import { addAbortSignal } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import { circuit } from '../resilience/circuit.ts'
import { withDeadline } from '../resilience/deadline.ts'
import { withoutStalls } from '../resilience/stalls.ts'
import type { FileStorage } from './storage.ts'

export type GuardOptions = Readonly<{
  /** How long a call may take, retries included */
  callMs?: number
  /** How long the storage may send nothing in the middle of a file */
  silenceMs?: number
  /** How long the storage is not called after failures in a row */
  openMs?: number
}>

const CALL_MS = 4000
const SILENCE_MS = 4000
const RETRY_AFTER_SECONDS = 5

/**
 * Bounds the time that any storage can cost: a call that hangs fails after four seconds, a stream that stalls is
 * destroyed, and a storage that keeps failing is not called for a while. All of these are 503 `storage_unavailable`; that
 * a file is absent is no failure.
 */
export function guardedStorage(storage: FileStorage, options: GuardOptions = {}): FileStorage {
  const { callMs = CALL_MS, silenceMs = SILENCE_MS, openMs } = options
  const breaker = circuit({ openMs })
  const guarded = <Result>(call: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
    breaker(() => withDeadline(callMs, call)).catch((error: unknown) => {
      throw unavailable(error)
    })

  return {
    ...storage,
    put: (key, path, type) => guarded((signal) => storage.put(key, path, type, signal)),
    read: (key) =>
      guarded(async (signal) => {
        const source = await storage.read(key, signal)
        if (!source) return undefined
        const stream = withoutStalls(addAbortSignal(signal, source), silenceMs, unavailable)
        await once(stream, 'readable') // so that a storage without a body is a 503 rather than a response that breaks off
        return stream
      }),
    remove: (key) => guarded((signal) => storage.remove(key, signal)),
    readMarker: () => guarded((signal) => storage.readMarker(signal)),
    writeMarker: (text) => guarded((signal) => storage.writeMarker(text, signal)),
    async *list() {
      const listing = new AbortController()
      const items = storage.list(listing.signal)[Symbol.asyncIterator]()
      try {
        for (;;) {
          const item = await withDeadline(callMs, () => items.next())
          if (item.done) return
          yield item.value
        }
      } catch (error) {
        throw unavailable(error)
      } finally {
        listing.abort()
        void items.return?.().catch(() => undefined) // it may hang as well
      }
    },
  }
}

function unavailable(cause: unknown): Failure {
  if (cause instanceof Failure && cause.code === 'storage_unavailable') return cause
  return new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}
