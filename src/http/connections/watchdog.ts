import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { ConnectionLimits } from './limits.ts'

type Limits = Pick<ConnectionLimits, 'unreadMs' | 'bytesPerSecondMin' | 'idleMs' | 'headMs' | 'checkMs'>

/** What was seen of a connection. Bytes count as taken when the system has them to send. */
type Seen = {
  taken: number
  takenAtMs: number
  /** Since when a response waits to be taken, and how much was taken then; undefined: none waits */
  window: { startMs: number; taken: number } | undefined
}

/** Node's names for what it does not publish: the handle of a socket, and the response that it is bound to */
type Inner = { _handle?: { bytesWritten: number; writeQueueSize: number } | null; _httpMessage?: object | null }

/**
 * Destroys connections that nothing in Node ends: those whose client does not take its response, or takes it in
 * trickles, and those that are kept alive by bytes that never become a request.
 */
export function watchConnections(
  server: Server,
  { unreadMs, bytesPerSecondMin, idleMs, headMs, checkMs }: Limits,
): void {
  const connections = new Map<Socket, Seen>()
  const unusedMsMax = idleMs + headMs // a request may begin when the connection has been idle almost that long

  const isOverdue = (socket: Socket, seen: Seen, nowMs: number): boolean => {
    const taken = takenBy(socket)
    if (taken !== seen.taken) Object.assign(seen, { taken, takenAtMs: nowMs })
    const unchangedMs = nowMs - seen.takenAtMs
    if (socket.writableLength === 0) {
      seen.window = undefined
      return unchangedMs > unusedMsMax && !(socket as Inner)._httpMessage
    }
    if (unchangedMs >= unreadMs) return true
    seen.window ??= { startMs: nowMs, taken }
    const windowMs = nowMs - seen.window.startMs
    if (windowMs < unreadMs) return false
    const isTooSlow = (taken - seen.window.taken) * 1000 < bytesPerSecondMin * windowMs
    seen.window = { startMs: nowMs, taken }
    return isTooSlow
  }
  const check = (): void => {
    const nowMs = performance.now()
    for (const [socket, seen] of connections) if (isOverdue(socket, seen, nowMs)) socket.destroy()
  }

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { taken: 0, takenAtMs: performance.now(), window: undefined })
    socket.once('close', () => connections.delete(socket))
  })
  const timer = setInterval(check, checkMs).unref()
  server.once('close', () => clearInterval(timer))
}

/** A large chunk is written in parts: what is still queued has not been taken. */
function takenBy(socket: Socket): number {
  const { _handle: handle } = socket as Inner
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
