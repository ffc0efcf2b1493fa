import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { countConnections, cpuMicros } from '../load/parts.ts'
import { send } from '../load/send.ts'
import type { Instance } from '../load/service.ts'

export type Remains = Readonly<Record<string, number>>

const WAIT_MS_MAX = 120_000
const POLL_MS = 500
const REQUESTS = 3000
const ROUNDS = 4
const PARALLEL = 8
const PATH = '/api/v1/meta/limits'

/** What cut requests may leave in the metrics of an instance */
const METRICS = {
  requests: 'http_server_active_requests',
  waiting: 'tawthiq_queue_waiting',
  running: 'tawthiq_queue_running',
  tasks: 'tawthiq_background_tasks',
  deliveries: 'tawthiq_backlog_items',
  failures: 'tawthiq_observation_failures_total',
}

/** Reads what remains of requests from the metrics of an instance. */
export async function countRemains(management: string): Promise<Remains> {
  const text = (await send(management, { path: '/metrics' })).bytes.toString()
  const sumOf = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    )
  return Object.fromEntries(Object.entries(METRICS).map(([name, metric]) => [name, sumOf(metric)]))
}

/** Waits until nothing remains of cut requests, but not for ever. Returns the last counts. */
export async function untilNothingRemains({ port, management, uploads }: Instance): Promise<Remains> {
  const deadlineMs = Date.now() + WAIT_MS_MAX
  for (;;) {
    const files = readdirSync(uploads, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    ).length
    const remains = { ...(await countRemains(management)), connections: countConnections(port), files }
    if (isNothing(remains) || Date.now() > deadlineMs) return remains
    await sleep(POLL_MS)
  }
}

export function isNothing(remains: Remains): boolean {
  return Object.values(remains).every((count) => count === 0)
}

/** Measures the CPU time of a request, in microseconds: that of the best round, because other programs run too. */
export async function cpuPerRequest({ origin, part }: Instance): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startMicros = cpuMicros(part.pid)
    let left = REQUESTS
    const work = async (): Promise<void> => {
      while (left-- > 0) await send(origin, { path: PATH })
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    rounds.push((cpuMicros(part.pid) - startMicros) / REQUESTS)
  }
  return Math.min(...rounds)
}
