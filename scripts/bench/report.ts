import { medians, type Sample } from './figures.ts'
import { startMeasured, type MeasuredServer } from './measured.ts'
import { measureRoute, prepareRoutes } from './routes.ts'
import { measureWrite, warmUpWrite, writes } from './writes.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
/** What writes are compared with */
const CONSTANT = 'constant, as checkToken'

type Measured = { name: string; constant: string; warmUp?(): Promise<unknown>; measure(): Promise<Sample> }

/**
 * Returns requests a second and CPU time per request, beside a bare Fastify route in the same run. The requests take turns, so that a noisy machine is noisy to all.
 */
export async function benchRequests(measured: MeasuredServer): Promise<string> {
  // Passwords are hashed cheaply here: the cost of a hash is known, and hides that of the rest.
  const writing = await startMeasured({ environment: { BENCH_BCRYPT_COST: '4' } })
  const all = [...(await reads(measured)), ...(await listWrites(writing))]
  const samples = await measureInTurns(all).finally(() => writing.close())
  const figures = new Map([...samples].map(([name, list]) => [name, medians(list)]))
  const ratios = Object.fromEntries(all.map(({ name, constant }) => [name, ratioOf(figures, name, constant)]))
  return formatTable(all, figures, ratios)
}

async function measureInTurns(all: readonly Measured[]): Promise<Map<string, Sample[]>> {
  const samples = new Map(all.map(({ name }) => [name, [] as Sample[]]))
  for (const { measure, warmUp = measure } of all) await warmUp()
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, measure } of all) samples.get(name)?.push(await measure())
  }
  return samples
}

async function reads(measured: MeasuredServer): Promise<Measured[]> {
  const routes = await prepareRoutes(measured)
  return routes.map((route) => ({ ...route, measure: () => measureRoute(measured, route, SECONDS) }))
}

async function listWrites(measured: MeasuredServer): Promise<Measured[]> {
  const list = await writes()
  return list.map((write) => ({
    name: write.name,
    constant: CONSTANT,
    warmUp: () => warmUpWrite(measured, write),
    measure: () => measureWrite(measured, write),
  }))
}

function ratioOf(figures: ReadonlyMap<string, Sample>, name: string, constant: string): number {
  return (figures.get(name)?.cpuMicros ?? Number.NaN) / (figures.get(constant)?.cpuMicros ?? Number.NaN)
}

function formatTable(
  all: readonly Measured[],
  figures: ReadonlyMap<string, Sample>,
  ratios: Readonly<Record<string, number>>,
): string {
  const lines = all.map(({ name }) => {
    const { perSecond, cpuMicros, loopMicros, databaseMicros } = figures.get(name) ?? ({} as Sample)
    return formatRow(name, [
      perSecond.toFixed(0),
      cpuMicros.toFixed(0),
      loopMicros.toFixed(0),
      databaseMicros.toFixed(0),
      (ratios[name] ?? Number.NaN).toFixed(2),
    ])
  })
  const head = ['requests/s', 'CPU µs', 'loop µs', 'database µs', 'to constant']
  return [`Median of ${ROUNDS} rounds`, formatRow('', head), ...lines].join('\n')
}

function formatRow(name: string, figures: readonly string[]): string {
  return `  ${name.padEnd(36)}${figures.map((figure) => figure.padStart(13)).join('')}`
}
