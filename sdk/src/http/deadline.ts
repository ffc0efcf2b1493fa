import type { LocalCause } from '../local-messages.ts'

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
  const abort = (): void => end('aborted')
  const timer = setTimeout(end, timeout, 'timeout')
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  try {
    return await run(controller.signal)
  } catch (cause) {
    throw failure(reason, cause)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Rejects as soon as the caller aborts, without waiting for the work. */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  failure: (code: LocalCause) => Error,
  work: Promise<T>,
): Promise<T> {
  if (!signal) return work
  let abort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(failure('aborted'))
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}
