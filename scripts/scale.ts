// Measures several instances behind nginx, with one PostgreSQL, Redis and S3 on this machine: `npm run scale`.
// `-- --instances 3 --seconds 10 --clients 16` changes the run. Needs DATABASE_URL, nginx and redis-server.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createScratchDatabase, readDatabaseMicros } from './bench/database.ts'
import { openLoad, type Load, type Outcome } from './scale/load.ts'
import {
  cpuMicros,
  freePort,
  isInstalled,
  startNginx,
  startPart,
  startRedis,
  startS3,
  type Part,
} from './scale/parts.ts'

const SERVICE = 'dist/service/main.js'
const FAILOVER_MS = 5000
const WARM_UP_MS = 2000
const OF_SERVICE = `FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'tawthiq/%'`

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '16' },
  },
})
const { DATABASE_URL: server, PATH = '' } = process.env
const missing = ['nginx', 'redis-server'].filter((program) => !isInstalled(program))
if (server === undefined || missing.length > 0) {
  console.error(`npm run scale needs ${[...(server === undefined ? ['DATABASE_URL'] : []), ...missing].join(', ')}.`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'tawthiq-scale-'))
const database = await createScratchDatabase(server)
const stops: (() => Promise<unknown>)[] = [database.drop]
try {
  await measure()
} finally {
  for (const stop of stops.reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function measure(): Promise<void> {
  const s3 = await startS3(join(folder, 's3'))
  stops.push(() => s3.close())
  const redisPort = await freePort()
  let redis = await startRedis(redisPort)
  stops.push(() => redis.stop())
  const environment = serviceEnvironment(redisPort, s3.port)

  const alone = await startInstance(environment)
  await report('one instance, without nginx', [alone.part], `http://127.0.0.1:${alone.port}`)
  await alone.part.stop()

  const instances = await Promise.all(
    Array.from({ length: Number(values.instances) }, () => startInstance(environment)),
  )
  stops.push(() => Promise.all(instances.map(({ part }) => part.stop())))
  const proxyPort = await freePort()
  mkdirSync(join(folder, 'nginx'))
  const proxy = await startNginx(
    join(folder, 'nginx'),
    proxyPort,
    instances.map(({ port }) => port),
  )
  stops.push(() => proxy.stop())
  const origin = `http://127.0.0.1:${proxyPort}`
  const parts = instances.map(({ part }) => part)
  const load = await report(`${parts.length} instances behind nginx`, parts, origin, proxy)
  stops.push(() => load.close())

  const [first] = instances
  if (!first) return
  await failover('an instance is killed, and starts again', load, async () => {
    await first.part.stop('SIGKILL')
    first.part = (await startInstance(environment, first.port)).part
  })
  await failover('an instance is restarted with SIGTERM', load, async () => {
    await first.part.stop()
    first.part = (await startInstance(environment, first.port)).part
  })
  await failover('all connections to PostgreSQL break', load, terminateBackends)
  await failover('Redis is killed, and is back after a second', load, async () => {
    await redis.stop('SIGKILL')
    await sleep(1000)
    redis = await startRedis(redisPort)
  })
}

function serviceEnvironment(redisPort: number, s3Port: number): NodeJS.ProcessEnv {
  return {
    PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    KEYS: execFileSync(process.execPath, [SERVICE, 'keys']).toString(),
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: 'https://sms.invalid/send',
    UPLOADS_DIR: join(folder, 'uploads'),
    DATABASE_URL: database.url,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'warn',
    S3_BUCKET: 'files',
    S3_ENDPOINT: `http://127.0.0.1:${s3Port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    S3_FORCE_PATH_STYLE: 'true',
  }
}

async function startInstance(environment: NodeJS.ProcessEnv, given?: number): Promise<{ port: number; part: Part }> {
  const port = given ?? (await freePort())
  const part = await startPart(process.execPath, [SERVICE, 'serve'], port, { ...environment, PORT: String(port) })
  return { port, part }
}

/** Prints the CPU time per request of each part. Returns the load, for further runs. */
async function report(title: string, parts: readonly Part[], origin: string, proxy?: Part): Promise<Load> {
  const load = await openLoad(origin, Number(values.clients))
  await load.run(WARM_UP_MS)
  const read = async (): Promise<number[]> => [
    parts.reduce((sum, { pid }) => sum + cpuMicros(pid), 0),
    await readDatabaseMicros(database.url),
    proxy ? cpuMicros(proxy.pid) : 0,
  ]
  const before = await read()
  const outcome = await load.run(Number(values.seconds) * 1000)
  const [service = 0, postgres = 0, nginx = 0] = (await read()).map((micros, index) => micros - (before[index] ?? 0))
  const per = (micros: number): string => `${Math.round(micros / outcome.requests)} µs`
  console.log(`\n${title}`)
  console.log(`  ${outcome.requests} requests, ${describe(outcome)}`)
  console.log(`  CPU per request: service ${per(service)}, PostgreSQL ${per(postgres)}, nginx ${per(nginx)}`)
  console.log(`  connections to PostgreSQL: ${await countConnections()}`)
  return load
}

async function failover(title: string, load: Load, happen: () => Promise<void>): Promise<void> {
  const running = load.run(FAILOVER_MS)
  await sleep(FAILOVER_MS / 5)
  await happen()
  const outcome = await running
  console.log(`\n${title}\n  ${outcome.requests} requests, ${describe(outcome)}`)
}

function describe({ failed, reasons, longestMs }: Outcome): string {
  const list = [...reasons].map(([reason, count]) => `${count} × ${reason}`).join(', ')
  return `${failed} failed${failed > 0 ? ` (${list})` : ''}, longest ${Math.round(longestMs)} ms`
}

async function onDatabase(sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ count: string }>(sql).finally(() => client.end())
  return Number(rows[0]?.count)
}

function countConnections(): Promise<number> {
  return onDatabase(`SELECT count(*) ${OF_SERVICE}`)
}

async function terminateBackends(): Promise<void> {
  await onDatabase(`SELECT count(pg_terminate_backend(pid)) ${OF_SERVICE}`)
}
