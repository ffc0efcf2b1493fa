/** Calls a function when a signal aborts, or now if it has. Returns a function that stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  signal?.addEventListener('abort', listener)
  if (signal?.aborted) listener()
  return () => signal?.removeEventListener('abort', listener)
}
