import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import { accounts, type Accounts } from './accounts.ts'
import { administration, type Administration } from './administration.ts'
import { audit, type Audit } from './audit.ts'
import { auditSeals, type AuditSeals } from './audit-seals.ts'
import { auditTrail, type AuditTrail } from './audit-trail.ts'
import { copies, type Copies } from './copies.ts'
import type { Database } from './database.ts'
import { deletions, type Deletions } from './deletions.ts'
import { addDemoAccounts, addDemoFiles, hasDemoAccounts } from './demo.ts'
import { emailCancellations, type EmailCancellations } from './email/cancellations.ts'
import { emailConfirmations, type EmailConfirmations } from './email/confirmations.ts'
import { emailVerifications, type EmailVerifications } from './email/verifications.ts'
import { events, type Events } from './events.ts'
import { translating } from './faults.ts'
import { fileRows, type FileRows } from './files.ts'
import { fileStoreRows, type FileStoreRows } from './file-store.ts'
import { imports, type Imports } from './imports.ts'
import { openLookups, type Lookups } from './lookups.ts'
import { ownSessions, type OwnSessions } from './own-sessions.ts'
import { passwords, type Passwords } from './passwords.ts'
import { phoneVerifications, type PhoneVerifications } from './phone-verifications.ts'
import { profiles, type Profiles } from './profiles.ts'
import { sessions, type Sessions } from './sessions.ts'
import { bearers, type Bearers } from './bearers.ts'
import { recovery, type Recovery } from './recovery/index.ts'
import { registrations, type Registrations } from './registrations.ts'
import { replays, type Replays } from './replays.ts'
import { sweep } from './sweep.ts'
import { teller } from './tell.ts'
import { users, type Users } from './users.ts'

/** How things are kept. Every method refuses with `database_unavailable` when the database cannot be asked. */
export type Store = {
  accounts: Accounts
  bearers: Bearers
  sessions: Sessions & OwnSessions
  profiles: Profiles
  emailVerifications: EmailVerifications
  emailConfirmations: EmailConfirmations
  emailCancellations: EmailCancellations
  copies: Copies
  deletions: Deletions
  passwords: Passwords
  recovery: Recovery
  registrations: Registrations
  phoneVerifications: PhoneVerifications
  files: FileRows
  fileStore: FileStoreRows
  audit: Audit
  auditTrail: AuditTrail
  auditSeals: AuditSeals
  users: Users
  administration: Administration
  events: Events
  replays: Replays
  imports: Imports
  /** Asks the database for nothing, to know that it answers. */
  ping(): Promise<void>
  /** What forms choose from, read into memory. */
  openLookups(): Promise<Lookups>
  /** Adds the accounts that development begins with, unless there are others; resolves to whether they are there. */
  addDemoAccounts(): Promise<boolean>
  /** Gives the demo accounts the files that they must have; `put` writes one into the file store. */
  addDemoFiles(put: Parameters<typeof addDemoFiles>[1]): Promise<void>
  /** Whether there are accounts whose password everybody knows. */
  hasDemoAccounts(): Promise<boolean>
  /** Deletes what nobody needs any more. */
  sweep(auditDays: number): Promise<void>
}

/** `isAddressed` is whether there is somebody to tell of events. */
export type StoreOptions = { clock: Clock; log: Log; isAddressed: boolean }

export function openStore(database: Database, { clock, log, isAddressed }: StoreOptions): Store {
  const tell = teller(isAddressed)
  return {
    accounts: translating(accounts(database, clock)),
    bearers: translating(bearers(database)),
    sessions: translating({ ...sessions(database, clock), ...ownSessions(database, { clock, log }) }),
    registrations: translating(registrations(database, { clock, log, tell })),
    passwords: translating(passwords(database, { clock, log })),
    recovery: translating(recovery(database, { clock, log, tell })),
    copies: translating(copies(database)),
    deletions: translating(deletions(database, { clock, log, tell })),
    profiles: translating(profiles(database, { clock, log, tell })),
    emailVerifications: translating(emailVerifications(database, { clock, log })),
    emailConfirmations: translating(emailConfirmations(database, { clock, log, tell })),
    emailCancellations: translating(emailCancellations(database, { clock, log, tell })),
    phoneVerifications: translating(phoneVerifications(database, clock)),
    files: translating(fileRows(database, { log, tell })),
    fileStore: translating(fileStoreRows(database, clock)),
    audit: translating(audit(database, { clock, log })),
    auditTrail: translating(auditTrail(database)),
    auditSeals: translating(auditSeals(database, clock)),
    users: translating(users(database, clock)),
    administration: translating(administration(database, { clock, log, tell })),
    events: translating(events(database, clock)),
    replays: translating(replays(database, { clock, log, isAddressed })),
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
