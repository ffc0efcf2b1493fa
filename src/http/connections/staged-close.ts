import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLimits } from './limits.ts'

/** What to write before the write side is closed, and for how long to read at most after that. */
type LastBytes = { bytes?: string; forMs: number }

/**
 * Closes connections in stages (RFC 9112, 9.6). A client that is still sending when its response arrives would lose the
 * response if the connection were destroyed at once: the system of the client discards what it has not read yet.
 */
export type StagedClose = {
  apply(server: Server): void
  /** Whether the request on this connection has its response, and the rest of its body is being discarded */
  isDiscarding(socket: Socket): boolean
  /** Whether the last response of this connection was sent: no further request on it is served */
  isClosing(socket: Socket): boolean
  /** Closes the write side, discards what still arrives for a bounded time, and destroys the socket. */
  close(socket: Socket, last: LastBytes): void
}

export function stagedClose({ discardedBytesMax, lingerQuietMs }: ConnectionLimits): StagedClose {
  const discarding = new WeakSet<Socket>()
  const closing = new WeakSet<Socket>()

  const close: StagedClose['close'] = (socket, { bytes = '', forMs }) => {
    discarding.delete(socket)
    closing.add(socket)
    linger(socket, { bytes, bytesMax: discardedBytesMax, quietMs: lingerQuietMs, totalMs: forMs })
  }

  /** Keeps the parser reading, so that the end of the body is known and the connection can serve the next request. */
  const discardRest = (request: IncomingMessage): void => {
    const { socket } = request
    const closeNow = (): void => close(socket, { forMs: lingerQuietMs })
    discarding.add(socket)
    discard(request, {
      bytesMax: discardedBytesMax,
      whenTooLarge: () => discarding.has(socket) && closeNow(),
      whenEnded: () => discarding.delete(socket) && closing.has(socket) && closeNow(),
    })
  }

  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (length === undefined && coding === undefined) return // it has no body
    // before Node's own listener, which closes the connection after its last response
    response.prependOnceListener('finish', () => {
      if (!request.complete && !request.destroyed) discardRest(request)
    })
  }

  return {
    apply(server) {
      server.prependListener('request', watch)
      server.prependListener('checkExpectation', watch)
      server.on('connection', (socket: Socket) => {
        const destroySoon = socket.destroySoon.bind(socket)
        socket.destroySoon = () => {
          if (discarding.has(socket)) closing.add(socket)
          else if (!closing.has(socket)) destroySoon()
        }
      })
    },
    isDiscarding: (socket) => discarding.has(socket),
    isClosing: (socket) => closing.has(socket),
    close,
  }
}

/** Discards the rest of a body. `whenTooLarge` may be called several times. */
function discard(
  request: IncomingMessage,
  { bytesMax, whenTooLarge, whenEnded }: { bytesMax: number; whenTooLarge: () => unknown; whenEnded: () => unknown },
): void {
  let bytes = 0
  request.unpipe().removeAllListeners('data')
  request
    .on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) whenTooLarge()
    })
    .once('end', whenEnded)
    .resume()
}

type Bounds = { bytes: string; bytesMax: number; quietMs: number; totalMs: number }

/**
 * Closes the write side after the last bytes, and discards what the client still sends. The socket is destroyed when the
 * client has closed its side too, sends nothing for a while, or has sent or taken more than the bounds allow.
 */
function linger(socket: Socket, { bytes, bytesMax, quietMs, totalMs }: Bounds): void {
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
