import { Agent } from 'undici'
import { isSuccess, startClients } from '../load/load.ts'
import { OPERATIONS, type OperationName } from '../load/operations.ts'
import { newProfileWithPhoto } from '../load/people.ts'
import { readSlowly, writeSlowly } from './slow.ts'

export type Load = { sent(): number; failures(): string[]; stop(): Promise<void> }

const CLIENTS = 4
const PAUSE_MS = 15
const NAMES = Object.keys(OPERATIONS) as OperationName[]

/** A connection for each request: nginx closes idle ones when it reads its configuration again. */
const VIA = { dispatcher: new Agent({ pipelining: 0 }), reset: true }

/** Sends all operations, each client for an account of its own, and beside them requests that take 12 s. */
export async function startLoad(origin: string): Promise<Load> {
  const people = await Promise.all(Array.from({ length: CLIENTS }, () => newProfileWithPhoto(origin)))
  const next = (client: number, turn: number): OperationName =>
    NAMES[(turn + Math.round((client * NAMES.length) / CLIENTS)) % NAMES.length] ?? 'getProfile'
  const clients = startClients({ origin, people, next, pauseMs: PAUSE_MS, via: VIA })
  const slow: string[] = []
  let isStopped = false
  const running = Object.entries({ writeSlowly, readSlowly }).map(async ([name, run]) => {
    while (!isStopped) slow.push(`${name}: ${await run(origin).catch(String)}`)
  })
  return {
    sent: () => clients.samples.length + slow.length,
    failures: () => [
      ...clients.samples
        .filter((sample) => !isSuccess(sample))
        .map(({ operation, status, code }) => `${operation}: ${status} ${code}`),
      ...slow.filter((text) => !text.endsWith(': 200')),
    ],
    async stop() {
      isStopped = true
      await Promise.all([clients.stop(), ...running])
    },
  }
}
