// Replaces two instances behind nginx under load, and counts failed requests: `npm run rolling-restart`. With
// `-- --from last`, the instances begin as the last release, the database is migrated while a session reads every
// table, and they are upgraded and go back to the release. Needs nginx, and a PostgreSQL server at DATABASE_URL whose
// databases it can create. With REDIS_URL, the instances share their limits.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newKeys } from '../src/adapters/keys/index.ts'
import { connectTo, createScratchDatabase } from './load/database.ts'
import { countTexts } from './load/load.ts'
import { startNginx, type Nginx } from './load/nginx.ts'
import {
  buildLastRelease,
  replaceInstance,
  SMS_BUDGETS,
  startInstances,
  type Instance,
  type Variables,
} from './load/service.ts'
import { requireServers, runSession, type Session } from './load/session.ts'
import { readOptions } from './options.ts'
import { startLoad, type Load } from './rolling-restart/load.ts'

const DEFAULTS = { rounds: 10, delay: 2, from: undefined, requests: 5000, reader: 12 }
const options = readOptions('npm run rolling-restart --', DEFAULTS)
/** Longer than the slow requests of the load, which a release without SHUTDOWN_DELAY completes before SIGTERM */
const REMOVED_MS = 14_000
const TABLES = `SELECT string_agg(quote_ident(relname), ', ') AS list FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`
const serverUrl = requireServers('npm run rolling-restart', 'nginx')
const release = options.from === undefined ? undefined : findRelease(options.from)
await runSession('rolling', run)

/** Returns whether no request has failed. */
async function run(session: Session): Promise<boolean> {
  const { REDIS_URL } = process.env
  const variables = {
    NODE_ENV: 'development',
    DATABASE_URL: await createScratchDatabase(session, serverUrl),
    ...(REDIS_URL !== undefined && { REDIS_URL, REDIS_PREFIX: `rolling-${randomUUID().slice(0, 8)}` }),
    DATA_DIR: session.folder,
    KEYS: newKeys(),
    SHUTDOWN_DELAY: String(options.delay),
    BCRYPT_COST: '10',
    SMS_COUNTRIES: '20',
    ...SMS_BUDGETS,
    LOG_LEVEL: 'warn',
  }
  const instances = await startInstances(session, 2, { variables, directory: release, isManaged: false })
  const ports = instances.map(({ port }) => port)
  const nginx = await startNginx(session, ports, false)
  const load = await startLoad(nginx.origin)
  if (release !== undefined) await upgradeAndBack(release, { session, variables, instances, nginx, load })
  for (let round = 1; release === undefined && round <= options.rounds; round++) {
    for (const each of instances) await replaceInstance(session, each, { variables, isManaged: false })
    console.log(`round ${round}: ${load.sent()} requests, ${load.failures().length} failed`)
  }
  await load.stop()
  console.log(`${load.sent()} requests, ${load.failures().length} failed`)
  for (const line of countTexts(load.failures()).slice(0, 20)) console.log(line)
  return load.failures().length === 0
}

/** Returns the directory of a build: that of a release in `.releases`, or a path. The last release is built if it is not there. */
function findRelease(given: string): string {
  if (given === 'last') return buildLastRelease()
  const built = [resolve('.releases', given), resolve(given)].find((path) => existsSync(join(path, 'dist')))
  if (built === undefined) throw new Error(`there is no build of ${given}`)
  return built
}

type Rolling = { session: Session; variables: Variables; instances: Instance[]; nginx: Nginx; load: Load }

/** Upgrades the instances one after the other, and then starts the release again in the same way. */
async function upgradeAndBack(release: string, { session, variables, instances, nginx, load }: Rolling): Promise<void> {
  const way = async (name: string, directory: string, prepare?: () => Promise<void>): Promise<void> => {
    const [sent, failed] = [load.sent(), load.failures().length]
    await prepare?.()
    for (const [at, instance] of instances.entries()) {
      await nginx.exclude(instance.port)
      await sleep(REMOVED_MS)
      await replaceInstance(session, instance, { variables, directory, isManaged: false })
      await nginx.exclude(undefined)
      const end = sent + (options.requests * (at + 1)) / instances.length
      while (load.sent() < end) await sleep(100)
    }
    console.log(`${name}: ${load.sent() - sent} requests, ${load.failures().length - failed} failed`)
  }
  await way('upgrade', '.', () => migrateWhileReading(session, variables))
  await way('rollback', release)
}

/** Runs the command migrate while a session reads every table for a while, as pg_dump does. */
async function migrateWhileReading(session: Session, environment: Variables): Promise<void> {
  const reader = await connectTo(session, environment['DATABASE_URL'] ?? '')
  const { rows } = await reader.query<{ list: string }>(TABLES)
  await reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE ${rows[0]?.list ?? ''} IN ACCESS SHARE MODE`)
  const reading = reader.query(`SELECT pg_sleep(${options.reader}); COMMIT`)
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/service/main.js', 'migrate'], {
    env: { PATH: process.env['PATH'], ...environment },
  })
  console.log(stdout.trim())
  await reading
}
