// The complete service on a free port, with an embedded database or, with DATABASE_URL, a new database on that server.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import { openApp, type App, type Dependencies } from '../../../src/app.ts'
import { readConfig, type Config } from '../../../src/config/index.ts'
import type { Clock } from '../../../src/domain/clock.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import type { DatabaseServer } from '../../../src/database/connection/index.ts'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import { ownDatabase, serverTarget } from './databases.ts'
import { embeddedDatabase } from './embedded-databases.ts'
import { followClock } from './moved-clock.ts'
import { runStatements } from './roles.ts'
import { openSharedPool } from './shared-threads.ts'
import './openapi-validator.ts'
import { temporaryFolder } from '../processes/process.ts'

export type Service = {
  origin: string
  app: App
  database: Database
  /** The configuration, for another instance of the same service */
  config: Config
  /** What another instance of the same service uses too */
  dependencies: Dependencies & { database: Database }
  clock: Clock
  logger: Logger
  /** Log lines, oldest first */
  log: string[]
  moveClock(ms: number): void
  /** Runs statements as a user who may change tables, which the role of the service may not (TEST_ROLE=dml). */
  asOwner(sql: string): Promise<void>
  close(): Promise<void>
}

/** How long a request may wait for a free connection: longer than in production, because many tests share the processors */
const CONNECTION_MS_MAX = 10_000

/** Fast to compute, because the tests cover the service and not bcrypt. */
const COST = 4

type Options = {
  config?: Partial<Config>
  level?: string
  /** Changes the database URL, for example to that of a proxy */
  through?: (url: string) => string
  /** Where the service reports its work */
  telemetry?: Pick<Dependencies, 'observers' | 'accessLog'>
  /** Changes how the database is opened */
  server?: (server: DatabaseServer) => DatabaseServer
  /** Prepares the database, whose URL leads to the server without a pooler */
  prepare?: (url: string) => Promise<void>
}

export async function openService(options: Options = {}): Promise<Service> {
  const own = await ownDatabase()
  const url = own.url === undefined ? undefined : (options.through?.(own.url) ?? own.url)
  if (own.directUrl !== undefined) await options.prepare?.(own.directUrl)
  const database = await (url === undefined
    ? embeddedDatabase()
    : openDatabase(options.server?.(serverTarget(url)) ?? serverTarget(url)))
  const hasFaults = options.through !== undefined || options.server !== undefined
  if (!hasFaults) database.pool.options.connectionTimeoutMillis = CONNECTION_MS_MAX
  let shiftMs = 0
  const clock = { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs }
  followClock(database, clock, own.directUrl)
  const log: string[] = []
  const config: Config = {
    ...readConfig({
      NODE_ENV: 'test',
      DATA_DIR: temporaryFolder(),
      KEYS: newKeys(),
      REDIS_URL: process.env['REDIS_URL'],
      REDIS_PREFIX: `test-${randomUUID()}`,
      TRUST_PROXY: '127.0.0.1',
      SMS_PASSWORD_RESET: 'yes', // for accounts with a verified address too; tests of the default set the context
    }),
    bcryptCost: COST,
    passwordThreads: 1,
    port: 0,
    ...options.config,
  }
  const logger = jsonLog(options.level ?? 'info', { write: (line) => log.push(line) })
  const dependencies = { log: logger, clock, database, openPool: openSharedPool }
  const app = await openApp(config, { ...dependencies, ...options.telemetry }).catch(async (error: unknown) => {
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
    dependencies,
    clock,
    logger,
    log,
    moveClock(ms) {
      shiftMs = Math.round(ms) // the counters in Redis expire after whole milliseconds
    },
    asOwner: (sql) => runAsOwner(own.directUrl, database, sql),
    async close() {
      await app.close()
      await database.close()
      await own.drop()
    },
  }
}

/** Runs statements as a user who may change tables. */
export async function runAsOwner(
  directUrl: string | undefined,
  { pool }: Pick<Database, 'pool'>,
  sql: string,
): Promise<void> {
  if (directUrl === undefined) await pool.query(sql)
  else await runStatements(directUrl, [sql])
}
