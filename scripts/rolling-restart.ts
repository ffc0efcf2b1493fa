// Replaces two instances behind nginx under load, and counts failed requests: `npm run rolling-restart`. With
// `--from <directory>`, the instances begin as the version that is built there, and the database is migrated while a
// session reads every table. Needs nginx, and a PostgreSQL server at DATABASE_URL whose databases it can create.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { newKeys } from '../src/adapters/keys/index.ts'
import { createDatabase, dropDatabase, withDatabase } from './schema-engine/servers.ts'
import { freePort, startInstance, type Instance } from './rolling-restart/instance.ts'
import { startLoad, type Load } from './rolling-restart/load.ts'
import { startNginx, type Nginx } from './rolling-restart/nginx.ts'
import { migrateWhileReading } from './rolling-restart/upgrade.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    delay: { type: 'string', default: '2' },
    from: { type: 'string' },
    to: { type: 'string', default: '.' },
    reader: { type: 'string', default: '12' },
  },
})
const url = withDatabase(
  process.env['DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/postgres',
  `tawthiq_rolling_${randomUUID().slice(0, 8)}`,
)
const folder = mkdtempSync(join(tmpdir(), 'tawthiq-rolling-'))
const [to, from] = [resolve(values.to), resolve(values.from ?? values.to)]
const environment = {
  DATABASE_URL: url,
  DATA_DIR: folder,
  KEYS: newKeys(),
  TRUST_PROXY: '127.0.0.1',
  SHUTDOWN_DELAY: values.delay,
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
  const ports = [await freePort(), await freePort()] as const
  const instances: Instance[] = []
  stops.push(() => Promise.all(instances.map((instance) => instance.stop())))
  for (const port of ports) instances.push(await startInstance(from, environment, port))
  const nginx = await startNginx(folder, ports)
  stops.push(() => nginx.stop())
  const load = await startLoad(nginx.origin)
  if (values.from === undefined) await restartAll(instances, load)
  else await upgrade(instances, nginx)
  const { sent, failures, slow } = await load.stop()
  console.log(`${sent} requests, ${failures.length} failed, ${slow} of them by the client that sends 5 bytes a second`)
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`)
  return failures.length
}

async function restartAll(instances: Instance[], load: Load): Promise<void> {
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const at of instances.keys()) await replace(instances, at)
    console.log(`round ${round}: ${load.sent()} requests, ${load.failed()} failed`)
  }
}

/** Migrates the database, and replaces the instances. An earlier version must be removed from the proxy first. */
async function upgrade(instances: Instance[], nginx: Nginx): Promise<void> {
  await migrateWhileReading(to, environment, Number(values.reader))
  for (const at of instances.keys()) {
    await nginx.remove(at)
    await replace(instances, at)
    await nginx.addAll()
  }
}

async function replace(instances: Instance[], at: number): Promise<void> {
  const [instance] = instances.slice(at, at + 1)
  if (!instance) throw new Error(`there is no instance ${at}`)
  await instance.stop()
  instances[at] = await startInstance(to, environment, instance.port)
}
