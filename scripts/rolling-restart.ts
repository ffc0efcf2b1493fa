// Replaces two instances behind nginx under load, and counts failed requests: `npm run rolling-restart`. With
// `-- --from <version>`, the instances begin as the last release, the database is migrated while a session reads every
// table, and they are upgraded and go back to the release. Needs nginx, and a PostgreSQL server at DATABASE_URL whose
// databases it can create. With REDIS_URL, the instances share their limits.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newKeys } from '../src/adapters/keys/index.ts'
import { SMS_BUDGETS } from './bench/sms-budgets.ts'
import { createDatabase, dropDatabase, withDatabase } from './schema-engine/servers.ts'
import { startInstance, type Instance } from './rolling-restart/instance.ts'
import { freePort } from './scale/parts.ts'
import { startLoad, type Load } from './rolling-restart/load.ts'
import { startNginx, type Nginx } from './rolling-restart/nginx.ts'
import { migrateWhileReading } from './rolling-restart/upgrade.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    delay: { type: 'string', default: '2' },
    from: { type: 'string' },
    requests: { type: 'string', default: '5000' },
    reader: { type: 'string', default: '12' },
  },
})
const THIS = resolve('.')
/** Longer than the slow requests of the load, which a release without SHUTDOWN_DELAY completes before SIGTERM */
const REMOVED_MS = 14_000
const url = withDatabase(
  process.env['DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/postgres',
  `tawthiq_rolling_${randomUUID().slice(0, 8)}`,
)
const folder = mkdtempSync(join(tmpdir(), 'tawthiq-rolling-'))
const { REDIS_URL } = process.env
const environment = {
  DATABASE_URL: url,
  ...(REDIS_URL !== undefined && { REDIS_URL, REDIS_PREFIX: `rolling-${randomUUID().slice(0, 8)}` }),
  DATA_DIR: folder,
  KEYS: newKeys(),
  TRUST_PROXY: '127.0.0.1',
  SHUTDOWN_DELAY: values.delay,
  BCRYPT_COST: '10',
  SMS_COUNTRIES: '20',
  ...SMS_BUDGETS,
  LOG_LEVEL: 'warn',
}

const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  await createDatabase(url)
  stops.push(() => dropDatabase(url))
  process.exitCode = (await run()) === 0 ? 0 : 1
} finally {
  for (const stop of stops.reverse()) await stop()
}

/** Returns the number of failed requests. */
async function run(): Promise<number> {
  const release = values.from === undefined ? undefined : findRelease(values.from)
  const ports = [await freePort(), await freePort()] as const
  const instances: Instance[] = []
  stops.push(() => Promise.all(instances.map((instance) => instance.stop())))
  for (const port of ports) instances.push(await startInstance(release ?? THIS, environment, port))
  const nginx = await startNginx(folder, ports)
  stops.push(() => nginx.stop())
  const load = await startLoad(nginx.origin)
  if (release === undefined) await restartAll(instances, load)
  else await upgradeAndBack(release, { instances, nginx, load })
  await load.stop()
  console.log(`${load.sent()} requests, ${load.failures.length} failed`)
  const counts = new Map<string, number>()
  for (const failure of load.failures) counts.set(failure, (counts.get(failure) ?? 0) + 1)
  for (const [failure, count] of [...counts].slice(0, 20)) console.log(`  ${count} × ${failure}`)
  return load.failures.length
}

/** Returns the directory of a release that was built, by its version or as a path. */
function findRelease(given: string): string {
  const built = [resolve('.releases', given), resolve(given)].find((path) => existsSync(join(path, 'dist')))
  if (built === undefined) throw new Error(`there is no build of ${given}: run npm run last-release first`)
  return built
}

async function restartAll(instances: Instance[], load: Load): Promise<void> {
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const at of instances.keys()) await replace(instances, at, THIS)
    console.log(`round ${round}: ${load.sent()} requests, ${load.failures.length} failed`)
  }
}

type Setting = { instances: Instance[]; nginx: Nginx; load: Load }

/** Upgrades the instances one after the other, and then starts the release again in the same way. */
async function upgradeAndBack(release: string, { instances, nginx, load }: Setting): Promise<void> {
  const way = async (name: string, target: string, prepare: () => Promise<void>): Promise<void> => {
    const [sent, failed] = [load.sent(), load.failures.length]
    await prepare()
    for (const at of instances.keys()) {
      await nginx.remove(at)
      await sleep(REMOVED_MS)
      await replace(instances, at, target)
      await nginx.addAll()
      await load.until(sent + (Number(values.requests) * (at + 1)) / instances.length)
    }
    console.log(`${name}: ${load.sent() - sent} requests, ${load.failures.length - failed} failed`)
  }
  await way('upgrade', THIS, () => migrateWhileReading(THIS, environment, Number(values.reader)))
  await way('rollback', release, () => Promise.resolve())
}

async function replace(instances: Instance[], at: number, directory: string): Promise<void> {
  const [instance] = instances.slice(at, at + 1)
  if (!instance) throw new Error(`there is no instance ${at}`)
  await instance.stop()
  instances[at] = await startInstance(directory, environment, instance.port)
}
