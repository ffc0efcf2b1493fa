import type { Socket } from 'node:net'

type Bounds = { bytes: string; bytesMax: number; quietMs: number; totalMs: number }

/**
 * Closes the write side after the last bytes, and discards what the client still sends. The socket is destroyed when the
 * client has closed its side too, sends nothing for a while, or has sent or taken more than the bounds allow.
 */
export function linger(socket: Socket, { bytes, bytesMax, quietMs, totalMs }: Bounds): void {
  const destroy = (): void => void socket.destroy()
  const total = setTimeout(destroy, totalMs)
  const quiet = setTimeout(destroy, quietMs)
  let discarded = 0
  const discard = (chunk: Buffer): void => {
    discarded += chunk.length
    quiet.refresh()
    if (discarded > bytesMax) destroy()
  }

  socket.on('error', () => undefined) // a client that resets the connection has left
  socket.once('close', () => {
    clearTimeout(total)
    clearTimeout(quiet)
  })
  // Not from within the parser, which may be what called: it gives up the socket when somebody else reads it.
  setImmediate(() => {
    socket.removeAllListeners('data')
    socket.on('data', discard).resume()
  })
  socket.end(bytes)
}
