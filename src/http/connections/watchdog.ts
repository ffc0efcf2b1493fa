import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { ConnectionLimits } from './limits.ts'

/** The progress of a connection. Bytes count as taken when the operating system has them to send. */
type Observed = {
  taken: number
  takenAtMs: number
  /** Since when a response waits to be taken, and how much was taken then; undefined: none waits */
  window: { startMs: number; taken: number } | undefined
}

/** Node's names for what it does not publish: the handle of a socket, and the response that it is bound to */
type Inner = { _handle?: { bytesWritten: number; writeQueueSize: number } | null; _httpMessage?: object | null }

/**
 * Destroys connections that Node never closes: those whose client does not read its response, or reads it too slowly, and
 * those on which bytes arrive that never become a request.
 */
export function watchConnections(
  server: Server,
  { unreadMs, bytesPerSecondMin, idleMs, headMs, checkMs }: ConnectionLimits,
): void {
  const connections = new Map<Socket, Observed>()
  const unusedMsMax = idleMs + headMs // a request may begin when the connection has been idle almost that long

  const isOverdue = (socket: Socket, seen: Observed, nowMs: number): boolean => {
    const taken = countTaken(socket)
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

/** Counts the bytes that the operating system has taken. Large chunks are written in parts, and the rest is queued. */
function countTaken(socket: Socket): number {
  const { _handle: handle } = socket as Inner
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
