import type { ServerResponse } from 'node:http'

/** Returns a signal that aborts when the client disconnects before it has the whole response. */
export function abandonedSignal(response: ServerResponse): AbortSignal {
  const disconnecting = new AbortController()
  const abort = (): void => {
    if (!response.writableFinished) disconnecting.abort()
  }
  if (response.closed) abort()
  else response.once('close', abort)
  return disconnecting.signal
}
