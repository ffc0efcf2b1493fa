import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node's name for whether a response has emitted `close` */
type Inner = ServerResponse & { _closed: boolean }

/**
 * Closes responses to pipelined requests with their connection. Node emits `close` only for the response that the connection
 * is sending, and never for those that wait behind it, whose files, streams and counts would remain.
 */
export function closeQueuedResponses(server: Server): void {
  const queues = new WeakMap<Socket, Set<ServerResponse>>()
  const queueOf = (socket: Socket): Set<ServerResponse> => {
    const known = queues.get(socket)
    if (known) return known
    const queue = new Set<ServerResponse>()
    queues.set(socket, queue)
    socket.once('close', () => queue.forEach(close))
    return queue
  }
  const watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (response.socket) return // it waits for no other response
    const queue = queueOf(socket).add(response)
    response.once('close', () => queue.delete(response))
  }
  server.prependListener('request', watch)
  server.prependListener('checkExpectation', watch)
}

function close(response: ServerResponse): void {
  if (response.closed) return
  Object.assign(response as Inner, { destroyed: true, _closed: true })
  response.emit('close')
}
