// The service that is fuzzed: the one that ships, in this process, on a database of its own.
import bcrypt from 'bcryptjs'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/adapters/clock.ts'
import { newKeys } from '../../src/adapters/keys/index.ts'
import { openApp, type Dependencies } from '../../src/app.ts'
import { readConfig } from '../../src/config/index.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { chooseDatabase } from '../../src/composition/database.ts'
import { openDatabase } from '../../src/database/index.ts'
import { addAccount, DEMO_ACCOUNTS } from '../../src/store/demo-data.ts'
import { SMS_BUDGETS } from '../load/service.ts'
import type { PersonaName } from './requests.ts'

export type FuzzedService = {
  origin: string
  findFault(requestId: string): string | undefined
  /** Adds an account with a complete profile, and gives its credentials. */
  newAccount: (who: PersonaName) => Promise<{ email: string; password: string }>
  close(): Promise<void>
}

const PASSWORD = 'Tawthiq-demo-1'
/** Cheap, because the service is fuzzed and not bcrypt */
const COST = 4
const PEOPLE = { client: 0, lawyer: 1, administrator: 2, anonymous: 0 } as const

/**
 * Opens the service in development, without the limits that one address or a day has.
 *
 * @param server the variables of the database on a server that gets the accounts of the run; none for an embedded one
 * @param given an open database, which stays open, and the threads of passwords, if others share them
 */
export async function openFuzzedService(
  server: Readonly<Record<string, string>>,
  given: Pick<Dependencies, 'database' | 'openPool'> = {},
): Promise<FuzzedService> {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-fuzz-'))
  const config = {
    ...readConfig({
      NODE_ENV: 'development',
      ...server,
      REDIS_URL: process.env['REDIS_URL'],
      REDIS_PREFIX: `fuzz-${randomUUID()}`,
      DATA_DIR: folder,
      KEYS: newKeys(),
      TRUST_PROXY: '127.0.0.1',
      CORS_ORIGINS: 'http://localhost:5173',
      ...SMS_BUDGETS,
    }),
    bcryptCost: COST,
  }
  const faults = new Map<string, string>()
  const log = jsonLog('warn', {
    write(line) {
      const { requestId, err } = JSON.parse(line) as { requestId?: string; err?: LoggedError }
      if (requestId !== undefined && err) faults.set(requestId, innermost(err))
    },
  })
  const database = given.database ?? (await openDatabase(chooseDatabase(config)))
  const app = await openApp(config, { log, clock: systemClock, database, openPool: given.openPool })
  const origin = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const passwordHash = bcrypt.hashSync(PASSWORD, COST)
  let accounts = Date.now() % 1_000_000 // the database may be older than this run
  return {
    origin,
    findFault: (requestId) => faults.get(requestId),
    async newAccount(who) {
      const number = ++accounts
      const email = `fuzz-${number}-${randomUUID().slice(0, 8)}@example.org`
      const phone = `+9665${String((number * 1009) % 100_000_000).padStart(8, '0')}`
      const demo = DEMO_ACCOUNTS[PEOPLE[who]]
      if (!demo) throw new Error(`there is no demo account for ${who}`)
      await addAccount(database.pool, { ...demo, email, phone, isEmailVerified: true }, passwordHash)
      return { email, password: PASSWORD }
    },
    async close() {
      await app.close()
      if (!given.database) await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type LoggedError = { type: string; message?: string; stack?: string; cause?: LoggedError }

function innermost({ type, message = '', stack = '', cause }: LoggedError): string {
  return cause ? innermost(cause) : `${type}: ${message}\n${stack}`
}
