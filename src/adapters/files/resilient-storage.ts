import { once } from 'node:events'
import { addAbortSignal } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { createCircuit } from '../resilience/circuit.ts'
import { withDeadline } from '../resilience/deadline.ts'
import { withStallTimeout } from '../resilience/stalls.ts'
import type { FileStorage } from './storage.ts'

type GuardOptions = Readonly<{
  /** Longest duration of a call in milliseconds, including retries */
  callMs?: number
  /** Longest pause in the middle of a file, in milliseconds */
  silenceMs?: number
  /** How long the storage is not called after repeated failures, in milliseconds */
  openMs?: number
  metrics?: Metrics | undefined
}>

/** With the work before and after it, an upload fails within 5 s. */
const CALL_MS = 3500
const SILENCE_MS = 4000
/** The requests that test conditional writes, one after the other */
const PROBE_CALLS = 6
const RETRY_AFTER_SECONDS = 5

/**
 * Bounds the time that a storage can cost. A call that hangs fails after 3.5 seconds, a stalled stream is destroyed, and
 * a storage that fails repeatedly is not called for a while. Each case, and each error of the storage, is 503
 * `storage_unavailable`; a missing file is not a failure.
 */
export function resilientStorage(
  storage: FileStorage,
  { callMs = CALL_MS, silenceMs = SILENCE_MS, openMs, metrics }: GuardOptions = {},
): FileStorage {
  const breaker = createCircuit({ openMs, name: 'file_store', metrics })
  const guarded = <Result>(call: (signal: AbortSignal) => Promise<Result>, ms = callMs): Promise<Result> =>
    breaker(() => withDeadline(ms, call)).catch((error: unknown) => {
      throw toFailure(error)
    })

  return {
    ...storage,
    put: (key, path, type) => guarded((signal) => storage.put(key, path, type, signal)),
    read: (key) =>
      guarded(async (signal) => {
        const source = await storage.read(key, signal)
        if (!source) return undefined
        const stream = withStallTimeout(addAbortSignal(signal, source), silenceMs, toFailure)
        await once(stream, 'readable') // a storage without a body causes a 503, not a truncated response
        return stream
      }),
    remove: (key) => guarded((signal) => storage.remove(key, signal)),
    readMarker: () => guarded((signal) => storage.readMarker(signal)),
    writeMarker: (text, expected) => guarded((signal) => storage.writeMarker(text, expected, signal)),
    hasConditionalWrites: () => guarded((signal) => storage.hasConditionalWrites(signal), PROBE_CALLS * callMs),
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
        throw toFailure(error)
      } finally {
        listing.abort()
        void items.return?.().catch(() => undefined) // this call may hang too
      }
    },
  }
}

function toFailure(cause: unknown): Failure {
  if (cause instanceof Failure && cause.code === 'storage_unavailable') return cause
  return new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}
