// Requests a second and CPU time per request of the service beside bare Fastify routes, all in one run: the machine may be
// noisy, but it is equally noisy to all. With DATABASE_URL on PostgreSQL, else on the embedded database.
import autocannon from 'autocannon'
import { fork } from 'node:child_process'
import { once } from 'node:events'

const CONNECTIONS = 32
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)

type Sample = { perSecond: number; cpuMicros: number }

const child = fork(new URL('bench/server.js', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
const [{ service, bare }] = (await once(child, 'message')) as [{ service: string; bare: string }]
const tokens = await Promise.all(Array.from({ length: CONNECTIONS }, logIn))
const headers = { authorization: `Bearer ${tokens[0] ?? ''}` }
const check = await fetch(`${service}/api/v1/auth/check`, { headers }).then((response) => response.json())
const profile = await fetch(`${service}/api/v1/profile`, { headers }).then((response) => response.json())
await ask({ act: 'constant', name: 'check', answer: check as object })
await ask({ act: 'constant', name: 'profile', answer: profile as object })

const routes: Record<string, string> = {
  'constant, as checkToken': `${bare}/constant/check`,
  'constant, as getProfile': `${bare}/constant/profile`,
  'token only': `${bare}/token`,
  checkToken: `${service}/api/v1/auth/check`,
  getProfile: `${service}/api/v1/profile`,
}
const samples = Object.fromEntries(Object.keys(routes).map((name) => [name, [] as Sample[]]))
for (const url of Object.values(routes)) await measure(url, 1)
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, url] of Object.entries(routes)) samples[name]?.push(await measure(url, SECONDS))
}
child.kill()
print()

async function logIn(): Promise<string> {
  const body = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
  const response = await fetch(`${service}/api/v1/auth/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  const answer = (await response.json()) as { data: { account: { token: string } } }
  return answer.data.account.token
}

async function measure(url: string, duration: number): Promise<Sample> {
  const before = await ask({ act: 'cpu' })
  const own = [...tokens]
  const setupClient = (client: autocannon.Client): void =>
    client.setHeaders({ authorization: `Bearer ${own.pop() ?? ''}` })
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration, setupClient })
  const after = await ask({ act: 'cpu' })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} answered ${result.non2xx} times otherwise than 200`)
  const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
  return { perSecond: result.requests.total / result.duration, cpuMicros: cpu / result.requests.total }
}

async function ask(message: object): Promise<{ cpu: NodeJS.CpuUsage; memory: number }> {
  const answer = once(child, 'message')
  child.send(message)
  return (await answer)[0] as { cpu: NodeJS.CpuUsage; memory: number }
}

function print(): void {
  const cpuOf = (name: string): number => median((samples[name] ?? []).map(({ cpuMicros }) => cpuMicros))
  console.log(
    `${process.env['DATABASE_URL'] ? 'PostgreSQL' : 'Embedded database'}, ${CONNECTIONS} connections, median of ${ROUNDS} runs of ${SECONDS} s\n`,
  )
  console.log(
    `${'route'.padEnd(26)}${'requests/s'.padStart(12)}${'CPU µs/request'.padStart(16)}${'to constant'.padStart(13)}`,
  )
  for (const [name, list] of Object.entries(samples)) {
    const constant = cpuOf(
      name === 'getProfile' || name.endsWith('getProfile') ? 'constant, as getProfile' : 'constant, as checkToken',
    )
    const perSecond = median(list.map((sample) => sample.perSecond))
    const ratio = (cpuOf(name) / constant).toFixed(2)
    console.log(
      `${name.padEnd(26)}${perSecond.toFixed(0).padStart(12)}${cpuOf(name).toFixed(1).padStart(16)}${ratio.padStart(13)}`,
    )
  }
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
