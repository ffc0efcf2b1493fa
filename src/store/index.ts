import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import { accounts, type Accounts } from './accounts.ts'
import { audit, type Audit } from './audit.ts'
import type { Database } from './database.ts'
import { addDemoAccounts } from './demo.ts'
import { translateFault } from './faults.ts'
import { phoneVerifications, type PhoneVerifications } from './phone-verifications.ts'
import { sessions, type Sessions } from './sessions.ts'

/** How things are kept. Every method refuses with `database_unavailable` when the database cannot be asked. */
export type Store = {
  accounts: Accounts
  sessions: Sessions
  phoneVerifications: PhoneVerifications
  audit: Audit
  /** Asks the database for nothing, to know that it answers. */
  ping(): Promise<void>
  /** Adds the accounts that development begins with, where they are missing. */
  addDemoAccounts(): Promise<void>
}

export function openStore(database: Database, { clock, log }: { clock: Clock; log: Log }): Store {
  return {
    accounts: translating(accounts(database)),
    sessions: translating(sessions(database)),
    phoneVerifications: translating(phoneVerifications(database, clock)),
    audit: translating(audit(database, log)),
    ...translating({
      async ping() {
        await database.pool.query('SELECT 1')
      },
    }),
    addDemoAccounts: () => addDemoAccounts(database),
  }
}

type Method = (...args: never[]) => Promise<unknown>

/** The same methods, throwing a Failure where the database is at fault. */
function translating<Methods extends Record<string, Method>>(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: never[]) =>
      method(...args).catch((error: unknown) => {
        throw translateFault(error)
      }),
  ])
  return Object.fromEntries(wrapped) as Methods
}
