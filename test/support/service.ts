// The whole service, as it ships, on a free port: in memory, or with DATABASE_URL in a database of its own.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Logger } from 'pino'
import { newKeys } from '../../src/adapters/keys.ts'
import { openApp, type App } from '../../src/app.ts'
import { readConfig, type Config } from '../../src/config.ts'
import type { Clock } from '../../src/domain/clock.ts'
import { jsonLog } from '../../src/log.ts'
import { openDatabase, type Database } from '../../src/store/database.ts'
import { temporaryFolder } from './process.ts'

export type Service = {
  origin: string
  app: App
  database: Database
  /** What another instance of the same service needs */
  config: Config
  clock: Clock
  logger: Logger
  /** Lines of the log, newest last */
  log: string[]
  moveClock(ms: number): void
  close(): Promise<void>
}

/** Cheap to compute: what is tested is the service, not bcrypt. */
const COST = 4
const SERVER = process.env['DATABASE_URL']

type Options = {
  config?: Partial<Config>
  level?: string
  /** Makes the address of the database one that goes through something else, for example a proxy */
  through?: (url: string) => string
}

export async function openService(options: Options = {}): Promise<Service> {
  const own = await ownDatabase()
  const url = own.url === undefined ? undefined : (options.through?.(own.url) ?? own.url)
  const database = await openDatabase(url === undefined ? { folder: temporaryFolder() } : { url, connectionsMax: 10 })
  let shiftMs = 0
  const clock = { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs }
  const log: string[] = []
  const config: Config = {
    ...readConfig({
      NODE_ENV: 'test',
      DATA_DIR: temporaryFolder(),
      KEYS: newKeys(),
      REDIS_URL: process.env['REDIS_URL'],
      REDIS_PREFIX: `test-${randomUUID()}`,
      TRUST_PROXY: '127.0.0.1',
    }),
    bcryptCost: COST,
    passwordThreads: 1,
    port: 0,
    ...options.config,
  }
  const logger = jsonLog(options.level ?? 'info', { write: (line) => log.push(line) })
  const app = await openApp(config, { log: logger, clock, database }).catch(async (error: unknown) => {
    await database.close()
    await own.drop()
    throw error
  })
  const origin = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return {
    origin,
    app,
    database,
    config,
    clock,
    logger,
    log,
    moveClock(ms) {
      shiftMs = ms
    },
    async close() {
      await app.close()
      await database.close()
      await own.drop()
    },
  }
}

export async function ownDatabase(): Promise<{ url: string | undefined; drop: () => Promise<void> }> {
  if (SERVER === undefined) return { url: undefined, drop: async () => undefined }
  const name = `tawthiq_test_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}`)
  const url = new URL(SERVER)
  url.pathname = `/${name}`
  return { url: url.toString(), drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`) }
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  await client.query(sql)
  await client.end()
}
