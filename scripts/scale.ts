// Measures several instances behind nginx, with one PostgreSQL, Redis and S3 on this machine: `npm run scale`.
// `-- --instances 3 --seconds 10 --clients 16` changes the run. Needs DATABASE_URL, nginx and redis-server.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { connectTo, createScratchDatabase, readerOfDatabaseUse } from './load/database.ts'
import { openDependencies } from './load/dependencies/index.ts'
import { describeSamples, startClients, type Sample } from './load/load.ts'
import { startNginx } from './load/nginx.ts'
import type { OperationName } from './load/operations.ts'
import { childrenOf, cpuMicros } from './load/parts.ts'
import { newProfile, type Person } from './load/requests.ts'
import { productionVariables, replaceInstance, startInstances, type Instance, type Options } from './load/service.ts'
import { requireServers, runSession, type Session } from './load/session.ts'
import { readOptions } from './options.ts'

const FAILOVER_MS = 5000
/** At full speed, until the code is compiled. */
const WARM_UP_MS = 15_000
const CYCLE = 1000
/** Clients pause, so that the machine is not busy: CPU times would grow with the number of processes that compete for it. */
const PAUSE_MS = 30
/** Clients begin at different requests of the cycle. */
const STEP = 61
const OF_SERVICE = `datname = current_database() AND application_name LIKE 'tawthiq/%'`

const given = readOptions('npm run scale --', { instances: 2, seconds: 10, clients: 16 })
const serverUrl = requireServers('npm run scale', 'nginx', 'redis-server')
await runSession('scale', run)

async function run(session: Session): Promise<boolean> {
  const url = await createScratchDatabase(session, serverUrl)
  const database = await connectTo(session, url)
  const dependencies = await openDependencies(session, ['redis', 'files'])
  const { BCRYPT_COST: _, ...production } = productionVariables(dependencies)
  const options = {
    variables: { ...production, DATABASE_URL: url, LOG_LEVEL: 'warn', ACCESS_LOG: 'no' },
    isManaged: false,
  }
  const { instances: alone } = await measure(session, database, options, 1)
  for (const { part } of alone) await part.stop()
  const { instances, origin, people } = await measure(session, database, options, given.instances)

  const [first] = instances
  if (!first) return true
  const { killed } = dependencies.redis.faults
  const failures: Readonly<Record<string, () => Promise<unknown>>> = {
    'an instance is killed, and starts again': () => replaceInstance(session, first, options, 'SIGKILL'),
    'an instance is restarted with SIGTERM': () => replaceInstance(session, first, options, 'SIGTERM'),
    'all connections to PostgreSQL break': () =>
      database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OF_SERVICE}`),
    async 'Redis is killed, and is back after a second'() {
      await killed?.apply()
      await sleep(1000)
      await killed?.repair()
    },
  }
  for (const [title, happen] of Object.entries(failures)) {
    const samples = await loadDuring(origin, people, async () => {
      await sleep(FAILOVER_MS / 5)
      await happen()
      await sleep((FAILOVER_MS * 4) / 5)
    })
    console.log(`\n${title}\n${describeSamples(samples)}`)
  }
  return true
}

type Measured = { instances: Instance[]; origin: string; people: Person[] }

/** Starts instances behind nginx, and prints the CPU time per request of each part. Returns them for further runs. */
async function measure(session: Session, database: pg.Client, options: Options, count: number): Promise<Measured> {
  const instances = await startInstances(session, count, options)
  const ports = instances.map(({ port }) => port)
  const { origin, pid: nginx } = await startNginx(session, ports, true)
  const people: Person[] = []
  const readDatabaseUse = readerOfDatabaseUse(database)
  while (people.length < given.clients) people.push(await newProfile(origin))
  const read = async (): Promise<number[]> => [
    cpuMicros(...instances.map(({ part }) => part.pid)),
    (await readDatabaseUse()).databaseMicros,
    cpuMicros(nginx, ...childrenOf(nginx)),
  ]
  await loadDuring(origin, people, () => sleep(WARM_UP_MS))
  const before = await read()
  const samples = await loadDuring(origin, people, () => sleep(given.seconds * 1000), PAUSE_MS)
  const used = (await read()).map((micros, part) => Math.round((micros - (before[part] ?? 0)) / samples.length))
  const { connections } = await readDatabaseUse()
  console.log(`\n${count} behind nginx\n${describeSamples(samples)}`)
  console.log(`CPU per request: service ${used[0]} µs, PostgreSQL ${used[1]} µs, nginx ${used[2]} µs`)
  console.log(`connections to PostgreSQL: ${connections}`)
  return { instances, origin, people }
}

/** Runs the load while something happens. Returns the requests. */
async function loadDuring(
  origin: string,
  people: readonly Person[],
  happen: () => Promise<unknown>,
  pauseMs = 0,
): Promise<readonly Sample[]> {
  const next = (client: number, turn: number): OperationName => chooseOperation((turn + client * STEP) % CYCLE)
  const load = startClients({ origin, people, pauseMs, next })
  await happen()
  await load.stop()
  return load.samples
}

/** Of 1000 requests, 618 read a profile, 240 a lookup, 100 check a token, 40 refresh one, 1 logs in and 1 uploads a photo. */
function chooseOperation(turn: number): OperationName {
  if (turn === 0) return 'login'
  if (turn === 500) return 'uploadPhoto'
  if (turn % 25 === 5) return 'refreshToken'
  if (turn % 10 === 1) return 'checkToken'
  return turn % 4 === 2 ? 'listLanguages' : 'getProfile'
}
