import type { Clock } from '../domain/clock.ts'
import { accounts, type Accounts } from './accounts.ts'
import { audit, type Audit } from './audit.ts'
import { openDatabase, type Place } from './database.ts'
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
  close(): Promise<void>
}

export async function openStore(place: Place, clock: Clock): Promise<Store> {
  const database = await openDatabase(place)
  return {
    accounts: translating(accounts(database)),
    sessions: translating(sessions(database)),
    phoneVerifications: translating(phoneVerifications(database, clock)),
    audit: translating(audit(database)),
    ...translating({
      async ping() {
        await database.pool.query('SELECT 1')
      },
    }),
    close: () => database.close(),
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
