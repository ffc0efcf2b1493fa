// The service that is fuzzed: the one that ships, in this process, on a database of its own.
import bcrypt from 'bcryptjs'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/adapters/clock.ts'
import { newKeys } from '../../src/adapters/keys.ts'
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { jsonLog } from '../../src/log.ts'
import { placeOf } from '../../src/parts.ts'
import { openDatabase } from '../../src/store/database.ts'
import { writeLawyer } from '../../src/store/lawyers.ts'
import { DEMO_ACCOUNTS } from '../../src/store/demo.ts'
import type { Who } from './requests.ts'

type DemoAccount = (typeof DEMO_ACCOUNTS)[number]

export type FuzzedService = {
  origin: string
  /** Lines of the log that tell of a fault, by the id of the request */
  faultOf(requestId: string): string | undefined
  /** Adds an account with a complete profile, and gives its credentials. */
  newAccount(who: Who): Promise<{ email: string; password: string }>
  close(): Promise<void>
}

const PASSWORD = 'Tawthiq-demo-1'
/** Cheap to compute: what is fuzzed is the service, not bcrypt. */
const COST = 4
const PEOPLE = { client: 0, lawyer: 1, administrator: 2, anonymous: 0 } as const

/** Opens the service in development, without the limits that one address or a day has. */
export async function openFuzzedService(): Promise<FuzzedService> {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-fuzz-'))
  const config = {
    ...readConfig({
      DATABASE_URL: process.env['DATABASE_URL'],
      REDIS_URL: process.env['REDIS_URL'],
      REDIS_PREFIX: `fuzz-${randomUUID()}`,
      DATA_DIR: folder,
      KEYS: newKeys(),
      TRUST_PROXY: '127.0.0.1',
      CORS_ORIGINS: 'http://localhost:5173',
      SMS_BUDGET_PER_DAY: '100000000',
      SMS_BUDGET_PER_COUNTRY_PER_DAY: '100000000',
    }),
    bcryptCost: COST,
  }
  const faults = new Map<string, string>()
  const log = jsonLog('warn', {
    write(line) {
      rememberFault(line, faults)
    },
  })
  const database = await openDatabase(placeOf(config))
  const app = await openApp(config, { log, clock: systemClock, database })
  const origin = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const passwordHash = bcrypt.hashSync(PASSWORD, COST)
  let accounts = Date.now() % 1_000_000 // the database may be older than this run
  return {
    origin,
    faultOf: (requestId) => faults.get(requestId),
    async newAccount(who) {
      const { profile, lawyer, isEmailVerified: _, ...like } = demoAccount(who)
      const number = ++accounts
      const email = `fuzz-${number}-${randomUUID().slice(0, 8)}@example.org`
      const phone = `+9665${String((number * 1009) % 100_000_000).padStart(8, '0')}`
      await database.prisma.$transaction(async (transaction) => {
        const now = new Date()
        const verified = { phoneVerifiedAt: now, phoneRecoversFrom: now, emailVerifiedAt: now, emailRecoversFrom: now }
        const data = { ...like, ...verified, email, phone, passwordHash, phoneCode: '966' } as const
        const account = await transaction.account.create({ data: { ...data, profile: { create: profile } } })
        if (lawyer) await writeLawyer(transaction, account.id, lawyer)
      })
      return { email, password: PASSWORD }
    },
    async close() {
      await app.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function demoAccount(who: Who): DemoAccount {
  const account = DEMO_ACCOUNTS[PEOPLE[who]]
  if (!account) throw new Error(`there is no demo account for ${who}`)
  return account
}

type LoggedError = { type: string; message?: string; stack?: string; cause?: LoggedError }

function innermost({ type, message = '', stack = '', cause }: LoggedError): string {
  return cause ? innermost(cause) : `${type}: ${message}\n${stack}`
}

function rememberFault(line: string, faults: Map<string, string>): void {
  const { requestId, err } = JSON.parse(line) as { requestId?: string; err?: LoggedError }
  if (requestId !== undefined && err) faults.set(requestId, innermost(err))
}
