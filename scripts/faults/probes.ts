import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from '../load/service.ts'
import { send } from '../load/send.ts'

/** What a probe returned: its status, and for /health the statuses of the dependencies */
export type Probe = { atMs: number; ms: number; status: number; detail: string }

export type ProbeName = 'live' | 'ready' | 'health'

export type Probes = { seen: Record<ProbeName, Probe[]>; stop(): Promise<void> }

const INTERVAL_MS = 200

/** Reads the three probes of an instance again and again. */
export function startProbes({ origin, management }: Instance): Probes {
  const seen: Record<ProbeName, Probe[]> = { live: [], ready: [], health: [] }
  const urls = {
    live: [origin, '/health/live'],
    ready: [origin, '/health/ready'],
    health: [management, '/health'],
  } as const
  let isStopped = false
  const repeat = async (name: ProbeName): Promise<void> => {
    while (!isStopped) {
      const startMs = performance.now()
      const [server, path] = urls[name]
      const { status, bytes } = await send(server, { path }).catch(() => ({ status: 0, bytes: Buffer.from('') }))
      const atMs = performance.now()
      seen[name].push({ atMs, ms: atMs - startMs, status, detail: name === 'health' ? troubles(bytes) : '' })
      await sleep(INTERVAL_MS)
    }
  }
  const repeating = (Object.keys(urls) as ProbeName[]).map(repeat)
  return {
    seen,
    async stop() {
      isStopped = true
      await Promise.all(repeating)
    },
  }
}

/** Returns the dependencies that fail, such as `redis degraded`. */
function troubles(bytes: Buffer): string {
  if (bytes.length === 0) return 'no response'
  const { dependencies } = JSON.parse(bytes.toString()) as { dependencies: { name: string; status: string }[] }
  return dependencies
    .filter(({ status }) => status !== 'ok')
    .map(({ name, status }) => `${name} ${status}`)
    .join(', ')
}
