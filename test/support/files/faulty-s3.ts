// An S3 server that can hang, stall in the middle of a body, or be slow.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { S3Options } from '../../../src/adapters/files/s3.ts'
import { openS3 } from './s3.ts'

export type FaultyS3 = {
  options: S3Options
  /**
   * `well`: succeeds; `hangs`: never responds; `stalls`: sends half of a body; `withholds`: sends only the head of a
   * response; `slowly`: responds after a pause and sends bodies in pieces with pauses between them
   */
  behavior: 'well' | 'hangs' | 'stalls' | 'withholds' | 'slowly'
  /** Whether `behavior` applies to requests with a method; all others succeed */
  affects(method: string): boolean
  /** The methods of all received requests */
  requests: string[]
  /** Returns the number of open connections. */
  connections(): Promise<number>
}

const PIECES = 5
/** Much shorter than any deadline of a test, also on a busy machine. */
export const PAUSE_MS = 40

/** Opens a faulty server in front of a working one. */
export async function openFaultyS3(): Promise<FaultyS3> {
  const real = await openS3()
  const server = createServer((incoming, response) => {
    const { method = '', url = '/' } = incoming
    faulty.requests.push(method)
    const behavior = faulty.affects(method) ? faulty.behavior : 'well'
    if (behavior === 'hangs') {
      incoming.resume()
      return
    }
    const { headers } = incoming
    const passed = request(new URL(url, real.endpoint), { method, headers }, (upstream) => {
      void respond(upstream, response, behavior).catch(() => response.destroy())
    })
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const faulty: FaultyS3 = {
    options: { ...real, endpoint: `http://127.0.0.1:${port}` },
    behavior: 'well',
    affects: () => true,
    requests: [],
    connections: () => new Promise((resolve, reject) => server.getConnections((e, n) => (e ? reject(e) : resolve(n)))),
  }
  return faulty
}

async function respond(upstream: IncomingMessage, response: ServerResponse, how: FaultyS3['behavior']): Promise<void> {
  const body = Buffer.concat((await upstream.toArray()) as Buffer[])
  if (how === 'slowly') await sleep(PAUSE_MS)
  response.writeHead(upstream.statusCode ?? 500, upstream.headers)
  response.flushHeaders()
  if (how === 'withholds' && body.length > 0) return
  if (how === 'stalls' && body.length > 0) {
    response.write(body.subarray(0, body.length / 2))
    return
  }
  if (how === 'slowly') {
    for (let piece = 0; piece < PIECES; piece++) {
      const from = Math.floor((body.length * piece) / PIECES)
      response.write(body.subarray(from, Math.floor((body.length * (piece + 1)) / PIECES)))
      await sleep(PAUSE_MS)
    }
    response.end()
  } else response.end(body)
}
