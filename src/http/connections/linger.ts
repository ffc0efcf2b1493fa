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

  socket.on('error', () => undefined) // the client has reset the connection
  socket.once('close', () => {
    clearTimeout(total)
    clearTimeout(quiet)
  })
  // In a later turn, because the caller may be Node's parser, which detaches from a socket that has another reader.
  setImmediate(() => {
    socket.removeAllListeners('data')
    socket.on('data', discard).resume()
  })
  socket.end(bytes)
}
