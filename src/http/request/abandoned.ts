import type { ServerResponse } from 'node:http'

/** Returns a signal that aborts when the client disconnects before it has the whole response. */
export function abandonedSignal(response: ServerResponse): AbortSignal {
  const disconnecting = new AbortController()
  const leave = (): void => {
    if (!response.writableFinished) disconnecting.abort()
  }
  if (response.closed) leave()
  else response.once('close', leave)
  return disconnecting.signal
}
