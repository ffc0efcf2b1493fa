import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Outgoing } from './events/outbox.ts'
import { currentTraceparent, type Tracer } from '../lib/tracing.ts'
import { accounts, type Accounts } from './accounts/credentials.ts'
import { administration, type Administration } from './admin/administration.ts'
import { audit, type Audit } from './audit/index.ts'
import { auditSeals, type AuditSeals } from './audit/seals.ts'
import { auditTrail, type AuditTrail } from './audit/trail.ts'
import { accountExports, type AccountExports } from './accounts/exports.ts'
import type { Database } from '../database/index.ts'
import { MIGRATIONS } from '../database/migrations/files.ts'
import { readiness } from '../database/migrations/readiness.ts'
import { deletions, type Deletions } from './accounts/deletions.ts'
import { addDemoAccounts, addDemoFiles, hasDemoAccounts } from './demo-data.ts'
import { emailCancellations, type EmailCancellations } from './email/cancellations.ts'
import { emailConfirmations, type EmailConfirmations } from './email/confirmations.ts'
import { emailVerifications, type EmailVerifications } from './email/verifications.ts'
import { events, type Events } from './events/index.ts'
import { factors, type Factors } from './factors/index.ts'
import { withDatabaseErrors } from '../database/database-errors.ts'
import { fileRows, type FileRows } from './files/index.ts'
import { fileStoreRows, type FileStoreRows } from './files/file-storage.ts'
import { fileOwnershipRows, type FileOwnershipRows } from './files/ownership.ts'
import { idempotencyKeys, type IdempotencyKeys } from './idempotency/index.ts'
import { imports, type Imports } from './imports/index.ts'
import { keyHolders, type KeyHolders } from './key-holders.ts'
import { openLookups, type Lookups } from './lookups.ts'
import { mails, type Mails } from './mails/index.ts'
import { mailListing, type MailListing } from './mails/listing.ts'
import { ownSessions, type OwnSessions } from './sessions/own-sessions.ts'
import { passwords, type Passwords } from './accounts/passwords.ts'
import { phoneVerifications, type PhoneVerifications } from './phone-verifications.ts'
import { profiles, type Profiles } from './profiles/index.ts'
import { sessions, type Sessions } from './sessions/index.ts'
import { accessState, type AccessState } from './accounts/access-state.ts'
import { recovery, type Recovery } from './recovery/index.ts'
import { resetUndos, type ResetUndos } from './recovery/undo.ts'
import { registrations, type Registrations } from './accounts/registrations.ts'
import { replays, type Replays } from './events/replays.ts'
import { deleteExpired } from './retention.ts'
import { monitoring, type Monitoring } from './monitoring.ts'
import { accountChanges } from './changes.ts'
import { smsMessages, type SmsMessages } from './sms/index.ts'
import { users, type Users } from './admin/users.ts'

/** The data access. All areas throw Failure 503 `database_unavailable` if the database cannot be reached. */
export type Store = {
  accounts: Accounts
  accessState: AccessState
  sessions: Sessions & OwnSessions
  factors: Factors
  profiles: Profiles
  emailVerifications: EmailVerifications
  emailConfirmations: EmailConfirmations
  emailCancellations: EmailCancellations
  exports: AccountExports
  deletions: Deletions
  passwords: Passwords
  recovery: Recovery
  resetUndos: ResetUndos
  registrations: Registrations
  phoneVerifications: PhoneVerifications
  files: FileRows
  fileStore: FileStoreRows & FileOwnershipRows
  audit: Audit
  auditTrail: AuditTrail
  auditSeals: AuditSeals
  users: Users
  administration: Administration
  events: Events
  replays: Replays
  imports: Imports
  keyHolders: KeyHolders
  idempotencyKeys: IdempotencyKeys
  mails: Mails
  mailListing: MailListing
  monitoring: Monitoring
  smsMessages: SmsMessages
  /** Checks that the database responds, can be written, and has all migrations. */
  ping(): Promise<void>
  /** Reads the lookup tables into memory. */
  openLookups(): Promise<Lookups>
  /** Adds the demo accounts, unless there are other accounts. Returns whether the demo accounts exist. */
  addDemoAccounts(): Promise<boolean>
  /** Adds the required files of the demo lawyer. `put` writes one into the file store. */
  addDemoFiles(put: Parameters<typeof addDemoFiles>[1]): Promise<void>
  /** Returns whether a demo account still has the public demo password. */
  hasDemoAccounts(): Promise<boolean>
  /** Deletes rows whose retention period is over. */
  deleteExpired(auditDays: number): Promise<void>
}

export type StoreOptions = {
  clock: Clock
  log: Log
  tracer?: Tracer | undefined
  /** Whether a webhook receives events */
  hasWebhook?: boolean
  /** Deliver what has been committed. Absent ones leave it to polls. */
  deliveries?: Partial<Record<Outgoing, () => void>>
}

export function openStore(database: Database, options: StoreOptions): Store {
  const { clock, log, tracer, hasWebhook = false, deliveries } = options
  const traceParent = (): string | null => currentTraceparent(tracer) ?? null
  const outbox = { hasWebhook, traceParent, onCommit: (added: Outgoing) => deliveries?.[added]?.() }
  const inChange = accountChanges(database, { clock, log, outbox })
  return {
    accounts: withDatabaseErrors(accounts(database, clock)),
    accessState: withDatabaseErrors(accessState(database)),
    sessions: withDatabaseErrors({
      ...sessions(database, { clock, log }),
      ...ownSessions(database, { clock, log, inChange }),
    }),
    factors: withDatabaseErrors(factors(database, { clock, inChange })),
    registrations: withDatabaseErrors(registrations(database, { clock, log, outbox })),
    passwords: withDatabaseErrors(passwords(inChange)),
    recovery: withDatabaseErrors(recovery(database, { clock, inChange })),
    resetUndos: withDatabaseErrors(resetUndos(database, { clock, inChange })),
    exports: withDatabaseErrors(accountExports(database, clock)),
    deletions: withDatabaseErrors(deletions({ log, inChange })),
    profiles: withDatabaseErrors(profiles(database, { log, outbox, inChange })),
    emailVerifications: withDatabaseErrors(emailVerifications(database, { clock, inChange })),
    emailConfirmations: withDatabaseErrors(emailConfirmations(inChange)),
    emailCancellations: withDatabaseErrors(emailCancellations(database, { clock, inChange })),
    phoneVerifications: withDatabaseErrors(phoneVerifications(database, { clock, log })),
    files: withDatabaseErrors(fileRows(database, inChange)),
    fileStore: withDatabaseErrors({ ...fileStoreRows(database, clock), ...fileOwnershipRows(database, clock) }),
    audit: withDatabaseErrors(audit(database, { clock, log, outbox })),
    auditTrail: withDatabaseErrors(auditTrail(database)),
    auditSeals: withDatabaseErrors(auditSeals(database, clock)),
    users: withDatabaseErrors(users(database, clock)),
    administration: withDatabaseErrors(administration(inChange)),
    events: withDatabaseErrors(events(database, clock)),
    replays: withDatabaseErrors(replays({ outbox, inChange })),
    imports: withDatabaseErrors(imports(database)),
    keyHolders: withDatabaseErrors(keyHolders(database, clock)),
    idempotencyKeys: withDatabaseErrors(idempotencyKeys(database, clock)),
    mails: withDatabaseErrors(mails(database, clock)),
    mailListing: withDatabaseErrors(mailListing(database, clock)),
    monitoring: withDatabaseErrors(monitoring(database, clock)),
    smsMessages: withDatabaseErrors(smsMessages(database, clock)),
    ...withDatabaseErrors({
      ping: readiness(database.pool, MIGRATIONS),
    }),
    openLookups: () => openLookups(database),
    addDemoAccounts: () => addDemoAccounts(database),
    addDemoFiles: (put) => addDemoFiles(database, put),
    hasDemoAccounts: () => hasDemoAccounts(database),
    deleteExpired: (auditDays) => deleteExpired(database, auditDays, log),
  }
}
