// Measures whether an instance under a mixed load uses more and more memory or file descriptors: `npm run soak`.
// `-- --minutes 30 --rate 1` changes the run. Needs the programs of PostgreSQL and redis-server.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDependencies } from './faults/dependencies.ts'
import { startInstances } from './faults/instances.ts'
import { newLedger } from './faults/ledger.ts'
import { startLoad } from './faults/load.ts'
import { openPeople } from './faults/people.ts'
import { isSuccess } from './faults/run.ts'

const INTERVAL_MS = 5000
const KILOBYTES_PER_MEGABYTE = 1024
const SLOPE_MAX = 1
/** The share of the run in which caches fill */
const WARM_UP = 0.25
const PROGRESS_EVERY = 60

type Use = { minute: number; megabytes: number; descriptors: number }

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '1' } },
})
const folder = mkdtempSync(join(tmpdir(), 'tawthiq-soak-'))
chmodSync(folder, 0o755) // the user of PostgreSQL reaches its folder through it
const stops: (() => Promise<unknown>)[] = []
try {
  process.exitCode = (await run()) ? 0 : 1
} finally {
  for (const stop of stops.reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

/** Returns whether memory grows by less than 1 MB a minute. */
async function run(): Promise<boolean> {
  const dependencies = await openDependencies(folder)
  stops.push(() => Promise.all(Object.values(dependencies).map((each) => each.stop())))
  const [instance] = await startInstances(1, dependencies, folder)
  if (!instance) throw new Error('there is no instance')
  stops.push(() => instance.part.stop())
  const people = await openPeople(instance.origin, dependencies.postgres.url, folder)
  const load = startLoad({ origins: [instance.origin], people, ledger: newLedger(), rate: Number(values.rate) })
  const uses: Use[] = []
  const startMs = Date.now()
  const minute = (): number => (Date.now() - startMs) / 60_000
  while (minute() < Number(values.minutes)) {
    await sleep(INTERVAL_MS)
    uses.push({ minute: minute(), ...readUse(instance.part.pid) })
    if (uses.length % PROGRESS_EVERY === 0) console.error(describe(uses.slice(-1)))
  }
  await load.stop()
  const measured = uses.filter((use) => use.minute > Number(values.minutes) * WARM_UP)
  const slope = slopeOf(measured)
  const failed = load.samples.filter((sample) => !isSuccess(sample)).length
  console.log(`${load.samples.length} requests, ${failed} failed`)
  console.log(`from minute ${measured[0]?.minute.toFixed(0)}: ${describe(measured)}`)
  console.log(`slope of the memory: ${slope.toFixed(3)} MB a minute`)
  return slope < SLOPE_MAX
}

/** Reads the resident memory and the number of open file descriptors of a process (proc(5)). */
function readUse(pid: number): Omit<Use, 'minute'> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return {
    megabytes: Number(kilobytes) / KILOBYTES_PER_MEGABYTE,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  }
}

function describe(uses: readonly Use[]): string {
  const range = (numbers: readonly number[]): string => {
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map(Math.round)
    return least === most ? String(least) : `${least} to ${most}`
  }
  return `${range(uses.map((use) => use.megabytes))} MB, ${range(uses.map((use) => use.descriptors))} descriptors`
}

/** Returns the slope of the line that fits the memory best (least squares), in megabytes a minute. */
function slopeOf(uses: readonly Use[]): number {
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  const minutes = mean(uses.map((use) => use.minute))
  const megabytes = mean(uses.map((use) => use.megabytes))
  const products = uses.map((use) => (use.minute - minutes) * (use.megabytes - megabytes))
  return mean(products) / mean(uses.map((use) => (use.minute - minutes) ** 2))
}
