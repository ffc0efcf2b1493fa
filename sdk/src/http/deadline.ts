import type { LocalCause } from '../local-messages.ts'
import { onAbort } from './on-abort.ts'

type Limits = { timeout: number; signal: AbortSignal | undefined }

/**
 * Runs an attempt with a signal that fires when the time is up or the caller aborts.
 *
 * @param failure creates the error of a failed attempt
 */
export async function withDeadline<T>(
  { timeout, signal }: Limits,
  failure: (code: LocalCause, cause?: unknown) => Error,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let reason: LocalCause = 'network'
  const end = (why: LocalCause): void => {
    reason = why
    controller.abort()
  }
  const timer = setTimeout(end, timeout, 'timeout')
  const stop = onAbort(signal, () => end('aborted'))
  try {
    return await run(controller.signal)
  } catch (cause) {
    throw failure(reason, cause)
  } finally {
    clearTimeout(timer)
    stop()
  }
}

/** Rejects as soon as the caller aborts, without waiting for the work. */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  failure: (code: LocalCause) => Error,
  work: Promise<T>,
): Promise<T> {
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(failure('aborted')))
  })
  return Promise.race([work, aborted]).finally(stop)
}
