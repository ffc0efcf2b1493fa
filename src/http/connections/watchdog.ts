import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { ConnectionLimits } from './limits.ts'

/** Since when a transfer is measured, and how many bytes were transferred until then */
type Window = Readonly<{ startMs: number; bytes: number }>

/** The progress of a connection. Bytes count as taken when the operating system has them to send. */
type Observed = {
  taken: number
  takenAtMs: number
  /** undefined: no response waits to be taken */
  response: Window | undefined
  /** The request that is arriving */
  request: IncomingMessage | undefined
  /** undefined: no request is arriving */
  arrival: Window | undefined
}

/** The error with which Node reports a request that takes too long */
const TIMEOUT = { code: 'ERR_HTTP_REQUEST_TIMEOUT' }

/** Node's names for what it does not publish: the handle of a socket, and the response that it is bound to */
type Inner = { _handle?: { bytesWritten: number; writeQueueSize: number } | null; _httpMessage?: object | null }

/**
 * Destroys connections that Node never closes: those whose client does not read its response, or reads it too slowly, and
 * those on which bytes arrive that never become a request. Rejects requests that arrive too slowly.
 */
export function watchConnections(
  server: Server,
  { slowMs, unreadMs, bytesPerSecondMin, idleMs, headMs, checkMs }: ConnectionLimits,
): void {
  const connections = new Map<Socket, Observed>()
  const unusedMsMax = idleMs + headMs // a request may begin when the connection has been idle almost that long

  const isOverdue = (socket: Socket, seen: Observed, nowMs: number): boolean => {
    const taken = countTaken(socket)
    if (taken !== seen.taken) Object.assign(seen, { taken, takenAtMs: nowMs })
    const unchangedMs = nowMs - seen.takenAtMs
    if (socket.writableLength === 0) {
      seen.response = undefined
      return unchangedMs > unusedMsMax && !(socket as Inner)._httpMessage
    }
    if (unchangedMs >= unreadMs) return true
    seen.response ??= { startMs: nowMs, bytes: taken }
    const progress = measure(seen.response, { startMs: nowMs, bytes: taken }, { overMs: unreadMs, bytesPerSecondMin })
    seen.response = progress.window
    return progress.isTooSlow
  }
  /** Returns whether a request arrives too slowly. */
  const isLate = ({ bytesRead }: Socket, seen: Observed, nowMs: number): boolean => {
    const now = { startMs: nowMs, bytes: bytesRead }
    const progress = isArriving(seen)
      ? measure(seen.arrival ?? now, now, { overMs: slowMs, bytesPerSecondMin })
      : undefined
    seen.arrival = progress?.window
    return progress?.isTooSlow ?? false
  }
  const check = (): void => {
    const nowMs = performance.now()
    for (const [socket, seen] of connections) {
      if (isOverdue(socket, seen, nowMs)) socket.destroy()
      else if (isLate(socket, seen, nowMs)) server.emit('clientError', Object.assign(new Error(), TIMEOUT), socket)
    }
  }

  server.on('connection', (socket: Socket) => {
    const none = { response: undefined, request: undefined, arrival: undefined }
    connections.set(socket, { taken: 0, takenAtMs: performance.now(), ...none })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request) => {
    const seen = connections.get(request.socket)
    if (seen) [seen.request, seen.arrival] = [request, undefined]
  })
  const timer = setInterval(check, checkMs).unref()
  server.once('close', () => clearInterval(timer))
}

/** Returns whether the service waits for the rest of a request. One that it does not read fast enough does not count. */
function isArriving(seen: Observed): boolean {
  const { request } = seen
  if (request?.complete) seen.request = undefined // an idle connection does not hold it
  return request?.complete === false && request.readableLength < request.readableHighWaterMark
}

type Rate = Readonly<{ overMs: number; bytesPerSecondMin: number }>

/** Measures the average rate of a transfer, and returns from where it is measured next. */
function measure(
  since: Window,
  now: Window,
  { overMs, bytesPerSecondMin }: Rate,
): { window: Window; isTooSlow: boolean } {
  const ms = now.startMs - since.startMs
  if (ms < overMs) return { window: since, isTooSlow: false }
  return { window: now, isTooSlow: (now.bytes - since.bytes) * 1000 < bytesPerSecondMin * ms }
}

/** Counts the bytes that the operating system has taken. Large chunks are written in parts, and the rest is queued. */
function countTaken(socket: Socket): number {
  const { _handle: handle } = socket as Inner
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
