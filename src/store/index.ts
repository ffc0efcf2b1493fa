import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import { accounts, type Accounts } from './accounts.ts'
import { administration, type Administration } from './administration.ts'
import { audit, type Audit } from './audit.ts'
import { auditTrail, type AuditTrail } from './audit-trail.ts'
import type { Database } from './database.ts'
import { deletions, type Deletions } from './deletions.ts'
import { addDemoAccounts, addDemoFiles, hasDemoAccounts } from './demo.ts'
import { translating } from './faults.ts'
import { fileRows, type FileRows } from './files.ts'
import { imports, type Imports } from './imports.ts'
import { openLookups, type Lookups } from './lookups.ts'
import { passwords, type Passwords } from './passwords.ts'
import { phoneVerifications, type PhoneVerifications } from './phone-verifications.ts'
import { profiles, type Profiles } from './profiles.ts'
import { sessions, type Sessions } from './sessions.ts'
import { bearers, type Bearers } from './bearers.ts'
import { registrations, type Registrations } from './registrations.ts'
import { sweep } from './sweep.ts'
import { users, type Users } from './users.ts'

/** How things are kept. Every method refuses with `database_unavailable` when the database cannot be asked. */
export type Store = {
  accounts: Accounts
  bearers: Bearers
  sessions: Sessions
  profiles: Profiles
  deletions: Deletions
  passwords: Passwords
  registrations: Registrations
  phoneVerifications: PhoneVerifications
  files: FileRows
  audit: Audit
  auditTrail: AuditTrail
  users: Users
  administration: Administration
  imports: Imports
  /** Asks the database for nothing, to know that it answers. */
  ping(): Promise<void>
  /** What forms choose from, read into memory. */
  openLookups(): Promise<Lookups>
  /** Adds the accounts that development begins with, unless there are others; resolves to whether they are there. */
  addDemoAccounts(): Promise<boolean>
  /** Gives the demo accounts the files that they must have; `put` keeps one under a key. */
  addDemoFiles(put: Parameters<typeof addDemoFiles>[1]): Promise<void>
  /** Whether there are accounts whose password everybody knows. */
  hasDemoAccounts(): Promise<boolean>
  /** Deletes what nobody needs any more. */
  sweep(auditDays: number): Promise<void>
}

export function openStore(database: Database, { clock, log }: { clock: Clock; log: Log }): Store {
  return {
    accounts: translating(accounts(database)),
    bearers: translating(bearers(database)),
    sessions: translating(sessions(database, clock)),
    registrations: translating(registrations(database, { clock, log })),
    passwords: translating(passwords(database, { clock, log })),
    deletions: translating(deletions(database, { clock, log })),
    profiles: translating(profiles(database, log)),
    phoneVerifications: translating(phoneVerifications(database, clock)),
    files: translating(fileRows(database)),
    audit: translating(audit(database, { clock, log })),
    auditTrail: translating(auditTrail(database)),
    users: translating(users(database, clock)),
    administration: translating(administration(database, { clock, log })),
    imports: translating(imports(database)),
    ...translating({
      async ping() {
        await database.pool.query('SELECT 1')
      },
    }),
    openLookups: () => openLookups(database),
    addDemoAccounts: () => addDemoAccounts(database),
    addDemoFiles: (put) => addDemoFiles(database, put),
    hasDemoAccounts: () => hasDemoAccounts(database),
    sweep: (auditDays) => sweep(database, auditDays),
  }
}
