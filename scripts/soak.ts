// Measures whether an instance under a mixed load uses more and more memory or file descriptors: `npm run soak`.
// `-- --minutes 30 --rate 1` changes the run. Needs the programs of PostgreSQL and redis-server.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPeople, startLoad } from './faults/load.ts'
import { DEPENDENCY_NAMES, openDependencies } from './load/dependencies/index.ts'
import { newLedger } from './load/operations.ts'
import { describeSamples } from './load/load.ts'
import { send } from './load/send.ts'
import { productionVariables, startInstance, type Instance } from './load/service.ts'
import { runSession, type Session } from './load/session.ts'
import { readOptions } from './options.ts'

const INTERVAL_MS = 5000
const [KILOBYTE, MEGABYTE] = [1024, 1_048_576]
const SLOPE_MAX = 1
/** The share of the run in which caches fill */
const WARM_UP = 0.25
const PROGRESS_EVERY = 60

/** What an instance uses at a time. The heap includes external memory; it is lowest after a collection of garbage. */
type Use = { minute: number; megabytes: number; heapMegabytes: number; descriptors: number }

const { minutes, rate } = readOptions('npm run soak --', { minutes: 30, rate: 1 })
await runSession('soak', run)

/** Returns whether memory grows by less than 1 MB a minute. */
async function run(session: Session): Promise<boolean> {
  const dependencies = await openDependencies(session, DEPENDENCY_NAMES)
  const { DATABASE_URL: databaseUrl = '' } = dependencies.postgres.variables
  const variables = { ...productionVariables(dependencies), LOG_LEVEL: 'warn', ACCESS_LOG: 'no' }
  const instance = await startInstance(session, { variables })
  const people = await openPeople([instance.origin], databaseUrl, session.folder)
  const load = startLoad({ origins: [instance.origin], people, ledger: newLedger(), rate })
  const uses: Use[] = []
  const startMs = Date.now()
  const minute = (): number => (Date.now() - startMs) / 60_000
  while (minute() < minutes) {
    await sleep(INTERVAL_MS)
    uses.push({ minute: minute(), ...(await readUse(instance)) })
    if (uses.length % PROGRESS_EVERY === 0) console.error(describe(uses.slice(-1)))
  }
  await load.stop()
  const measured = uses.filter((use) => use.minute > minutes * WARM_UP)
  const slope = slopeOf(measured.map((use) => [use.minute, use.megabytes]))
  const heapSlope = slopeOf(lowestByMinute(measured).map((use) => [use.minute, use.heapMegabytes]))
  console.log(describeSamples(load.samples))
  console.log(`from minute ${measured[0]?.minute.toFixed(0)}: ${describe(measured)}`)
  const descriptors = uses.map((use) => use.descriptors)
  const most = Math.max(...descriptors)
  console.log(`descriptors: ${descriptors[0]} at the start, ${descriptors.at(-1)} at the end, at most ${most}`)
  console.log(`slope of the memory: ${slope.toFixed(3)} MB a minute, of the heap: ${heapSlope.toFixed(3)} MB a minute`)
  return slope < SLOPE_MAX
}

/** Reads the resident memory and the number of open file descriptors of a process (proc(5)), and its metrics. */
async function readUse({ part: { pid }, management }: Instance): Promise<Omit<Use, 'minute'>> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  const metrics = (await send(management, { path: '/metrics' })).bytes.toString()
  const valueOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  return {
    megabytes: (Number(kilobytes) * KILOBYTE) / MEGABYTE,
    heapMegabytes: (valueOf('nodejs_heap_size_used_bytes') + valueOf('nodejs_external_memory_bytes')) / MEGABYTE,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  }
}

function describe(uses: readonly Use[]): string {
  const range = (numbers: readonly number[]): string => {
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map(Math.round)
    return least === most ? String(least) : `${least} to ${most}`
  }
  const [memory, heap] = [uses.map((use) => use.megabytes), uses.map((use) => use.heapMegabytes)].map(range)
  return `${memory} MB, of which heap ${heap} MB, ${range(uses.map((use) => use.descriptors))} descriptors`
}

/** Returns the use with the smallest heap of each minute. */
function lowestByMinute(uses: readonly Use[]): Use[] {
  const largestFirst = uses.toSorted((a, b) => b.heapMegabytes - a.heapMegabytes)
  return [...new Map(largestFirst.map((use) => [Math.floor(use.minute), use])).values()]
}

/** Returns the slope of the line that fits the points best (least squares). */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  return mean(points.map(([x, y]) => (x - meanX) * (y - meanY))) / mean(points.map(([x]) => (x - meanX) ** 2))
}
