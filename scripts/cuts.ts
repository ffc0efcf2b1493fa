// Cuts connections to two production instances at each point of a request, in each way, and reports what remains:
// `npm run cuts`. `-- --cuts 20000` changes their number. Needs the programs of PostgreSQL and redis-server.
import { hasPhase, PHASES, TARGETS, WAYS, type Phase, type Target, type Way } from './cuts/axes.ts'
import { countRemains, cpuPerRequest, isNothing, untilNothingRemains, type Remains } from './cuts/measure.ts'
import { cut } from './cuts/cut.ts'
import { buildRequest, type Site } from './cuts/requests.ts'
import { openSite, RECEIPT_SECRET } from './cuts/site.ts'
import { DEPENDENCY_NAMES, openDependencies } from './load/dependencies/index.ts'
import { isRunning, openReceiver } from './load/parts.ts'
import { productionVariables, startInstances, type Instance } from './load/service.ts'
import { runSession, type Session } from './load/session.ts'
import { readOptions } from './options.ts'

type Cell = Readonly<{ target: Target; way: Way; phase: Phase; compresses: boolean }>

const PARALLEL = 16
/** Links to files expire, and so do access tokens. */
const SITE_CUTS = 2000
const CPU_GROWTH_MAX = 1.1

const { cuts } = readOptions('npm run cuts --', { cuts: 20_000 })
await runSession('cuts', run)

/** Returns whether both instances run, nothing remains of the cut requests, and requests take no more CPU time. */
async function run(session: Session): Promise<boolean> {
  const dependencies = await openDependencies(session, DEPENDENCY_NAMES)
  const variables = {
    ...productionVariables(dependencies),
    OTEL_EXPORTER_OTLP_ENDPOINT: await openReceiver(session),
    SMS_WEBHOOK_RECEIPT_SECRETS: RECEIPT_SECRET,
  }
  const instances = await startInstances(session, 2, { variables })
  const before = await measure(instances)
  const sent = await cutAll(instances, cuts)
  const exits = instances.filter(({ part }) => !isRunning(part.pid)).length
  console.log(`${sent} cuts, ${exits} exits`)
  if (exits > 0) return false
  const remains = await Promise.all(instances.map(untilNothingRemains))
  const after = await measure(instances)
  return report(before, after, remains)
}

async function measure(instances: readonly Instance[]): Promise<number[]> {
  const micros: number[] = []
  for (const instance of instances) micros.push(await cpuPerRequest(instance))
  return micros
}

/** Cuts connections to each instance in turn. Returns their number. */
async function cutAll(instances: readonly Instance[], cuts: number): Promise<number> {
  const cells = allCells()
  let sent = 0
  while (sent < cuts) {
    const sites = await Promise.all(instances.map((instance) => openSite(instance)))
    const end = Math.min(cuts, sent + SITE_CUTS)
    const work = async (): Promise<void> => {
      while (sent < end) {
        const at = sent++
        const [cell, site] = [cells[at % cells.length], sites[Math.floor(at / cells.length) % sites.length]]
        if (cell && site) await cutOne(cell, site)
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    const open = await Promise.all(instances.map(({ management }) => countRemains(management)))
    console.error(`${sent} cuts, ${open.map(({ requests }) => requests).join(' and ')} open requests`)
  }
  return sent
}

async function cutOne({ target, way, phase, compresses }: Cell, site: Site): Promise<void> {
  await cut(await buildRequest(target, site, compresses), { way, phase })
}

/** Lists all cells, so that consecutive ones have different targets. */
function allCells(): Cell[] {
  const all = PHASES.flatMap((phase) =>
    WAYS.flatMap((way) =>
      [true, false].flatMap((compresses) => TARGETS.map((target) => ({ target, way, phase, compresses }))),
    ),
  )
  return all.filter(hasPhase)
}

function report(before: readonly number[], after: readonly number[], remains: readonly Remains[]): boolean {
  const growth = after.map((micros, at) => micros / (before[at] ?? micros))
  for (const [at, counts] of remains.entries()) {
    const left = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
    console.log(`instance ${at + 1}: ${left.join(', ')}`)
    console.log(`  CPU per request: ${before[at]?.toFixed(0)} µs before, ${after[at]?.toFixed(0)} µs after`)
  }
  return remains.every(isNothing) && growth.every((factor) => factor <= CPU_GROWTH_MAX)
}
