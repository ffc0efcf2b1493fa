import autocannon from 'autocannon'
import { median, type MeasuredServer } from './measured.ts'

const CONNECTIONS = 32
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)

const LARGE = 10_000

type Route = { name: string; url: string; constant: string }
type Sample = { perSecond: number; cpuMicros: number }

/**
 * Requests a second, and CPU time per request of the process, of reads beside bare Fastify routes that answer as many
 * bytes. Each connection has a session of its own. The routes take turns, so that a noisy machine is noisy to all.
 */
export async function benchRoutes(measured: MeasuredServer): Promise<string> {
  const tokens = await Promise.all(Array.from({ length: CONNECTIONS }, () => measured.logIn()))
  const routes = await prepare(measured, tokens[0] ?? '')
  const samples = new Map(routes.map(({ name }) => [name, [] as Sample[]]))
  for (const { url } of routes) await measure(measured, url, tokens, 1)
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url } of routes) samples.get(name)?.push(await measure(measured, url, tokens, SECONDS))
  }
  return formatTable(routes, samples)
}

async function prepare(measured: MeasuredServer, token: string): Promise<Route[]> {
  const { service, bare } = await measured.request({ act: 'origins' })
  const reads = {
    checkToken: `${service}/api/v1/auth/check`,
    getProfile: `${service}/api/v1/profile`,
    listCountries: `${service}/api/v1/lookups/countries`,
  }
  for (const [name, url] of Object.entries(reads)) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text() // of a large answer, a route that only sends it
    await measured.request({ act: 'constant', name, answer: text.length > LARGE ? text : JSON.parse(text) })
  }
  const constants = Object.keys(reads).map((name) => ({
    name: `constant, as ${name}`,
    url: `${bare}/constant/${name}`,
    constant: `constant, as ${name}`,
  }))
  return [
    ...constants,
    { name: 'token only', url: `${bare}/token`, constant: 'constant, as checkToken' },
    ...Object.entries(reads).map(([name, url]) => ({ name, url, constant: `constant, as ${name}` })),
  ]
}

async function measure(measured: MeasuredServer, url: string, tokens: string[], duration: number): Promise<Sample> {
  const free = [...tokens]
  const setupClient = (client: autocannon.Client): void =>
    client.setHeaders({ authorization: `Bearer ${free.pop() ?? ''}` })
  const before = await measured.request({ act: 'usage' })
  const { requests, non2xx, errors } = await autocannon({ url, connections: CONNECTIONS, duration, setupClient })
  const after = await measured.request({ act: 'usage' })
  if (non2xx > 0 || errors > 0) throw new Error(`${url} answered ${non2xx + errors} times otherwise than 200`)
  return { perSecond: requests.total / duration, cpuMicros: (after.cpuMicros - before.cpuMicros) / requests.total }
}

function formatTable(routes: Route[], samples: Map<string, Sample[]>): string {
  const of = (name: string, figure: keyof Sample): number =>
    median((samples.get(name) ?? []).map((sample) => sample[figure]))
  const lines = routes.map(({ name, constant }) => {
    const ratio = of(name, 'cpuMicros') / of(constant, 'cpuMicros')
    return formatRow(name, of(name, 'perSecond').toFixed(0), of(name, 'cpuMicros').toFixed(1), ratio.toFixed(2))
  })
  const title = `${CONNECTIONS} connections, median of ${ROUNDS} runs of ${SECONDS} s each`
  return [title, formatRow('', 'requests/s', 'CPU µs/request', 'to constant'), ...lines].join('\n')
}

function formatRow(name: string, ...figures: string[]): string {
  return `  ${name.padEnd(24)}${figures.map((figure) => figure.padStart(16)).join('')}`
}
