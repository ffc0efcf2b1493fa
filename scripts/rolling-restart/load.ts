import { once } from 'node:events'
import { get, request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { failuresOf, startClients } from '../load/load.ts'
import { OPERATIONS, type OperationName } from '../load/operations.ts'
import { repeat } from '../load/parts.ts'
import { newProfileWithPhoto } from '../load/requests.ts'

export type Load = { sent(): number; failures(): string[]; stop(): Promise<unknown> }

const CLIENTS = 4
const PAUSE_MS = 15
const NAMES = Object.keys(OPERATIONS) as OperationName[]

/** A connection for each request: nginx closes idle ones when it reads its configuration again. */
const VIA = { dispatcher: new Agent({ pipelining: 0 }), reset: true }

/** How long the slow requests take */
const SECONDS = 12
const LOGIN = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
/** Larger than what the sockets on the way hold */
const LARGE = '/openapi.json'

/** Sends all operations, each client for an account of its own, and beside them requests that take 12 s. */
export async function startLoad(origin: string): Promise<Load> {
  const people = await Promise.all(Array.from({ length: CLIENTS }, () => newProfileWithPhoto(origin)))
  const next = (client: number, turn: number): OperationName =>
    NAMES[(turn + Math.round((client * NAMES.length) / CLIENTS)) % NAMES.length] ?? 'getProfile'
  const clients = startClients({ origin, people, next, pauseMs: PAUSE_MS, via: VIA })
  const slow: string[] = []
  const stopSlow = repeat(
    async () => slow.push(`writeSlowly: ${await writeSlowly(origin).catch(String)}`),
    async () => slow.push(`readSlowly: ${await readSlowly(origin).catch(String)}`),
  )
  return {
    sent: () => clients.samples.length + slow.length,
    failures: () => [...failuresOf(clients.samples), ...slow.filter((text) => !text.endsWith(': 200'))],
    stop: () => Promise.all([clients.stop(), stopSlow()]),
  }
}

/** Sends a login in small pieces. Returns the status. */
async function writeSlowly(origin: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', 'content-length': LOGIN.length }
  const sending = request(`${origin}/api/v1/auth/login`, { method: 'POST', headers, agent: false })
  const response = once(sending, 'response') as Promise<[IncomingMessage]>
  response.catch(() => undefined) // awaited below
  const bytes = Math.ceil(LOGIN.length / SECONDS)
  for (let at = 0; at < LOGIN.length; at += bytes) {
    sending.write(LOGIN.slice(at, at + bytes))
    await sleep(1000)
  }
  sending.end()
  const [received] = await response
  received.resume()
  return received.statusCode
}

/** Reads a large response in pieces. Returns the status. */
async function readSlowly(origin: string): Promise<number | undefined> {
  const reading = get(origin + LARGE, { agent: false })
  reading.on('error', () => undefined) // the response fails too
  const [response] = (await once(reading, 'response')) as [IncomingMessage]
  const ended = once(response, 'end')
  ended.catch(() => undefined) // awaited below
  for (let second = 0; second < SECONDS && !response.readableEnded && !response.destroyed; second++) {
    response.pause()
    await sleep(1000)
    response.resume()
    await sleep(1)
  }
  await ended // fails if the response ends early
  return response.statusCode
}
