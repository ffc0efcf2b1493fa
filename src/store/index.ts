import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Outgoing } from './events/outbox.ts'
import { currentTraceparent, type Tracer } from '../lib/tracing.ts'
import { accounts } from './accounts/credentials.ts'
import { administration } from './admin/administration.ts'
import { audit } from './audit/index.ts'
import { auditSeals } from './audit/seals.ts'
import { auditTrail } from './audit/trail.ts'
import { accountExports } from './accounts/exports.ts'
import type { Database } from '../database/index.ts'
import { MIGRATIONS } from '../database/migrations/files.ts'
import { readiness } from '../database/readiness.ts'
import { deletions } from './accounts/deletions.ts'
import { addDemoAccounts, addDemoFiles, hasDemoAccounts } from './demo-data.ts'
import { emailConfirmations } from './email/confirmations.ts'
import { emailVerifications } from './email/verifications.ts'
import { events } from './events/index.ts'
import { factors } from './factors/index.ts'
import { withDatabaseErrors } from '../database/outages.ts'
import { fileRows } from './files/index.ts'
import { fileStoreRows } from './files/file-storage.ts'
import { idempotencyKeys } from './idempotency/index.ts'
import { imports } from './imports/index.ts'
import { keyHolders } from './key-holders.ts'
import { openLookups, type Lookups } from './lookups.ts'
import { mails } from './mails/index.ts'
import { mailListing } from './mails/listing.ts'
import { passwords } from './accounts/passwords.ts'
import { phoneVerifications } from './phone-verifications.ts'
import { profiles } from './profiles/index.ts'
import { sessions } from './sessions/index.ts'
import { bearerAccounts } from './sessions/bearer-accounts.ts'
import { recovery } from './recovery/index.ts'
import { undos } from './undo/index.ts'
import { registrations } from './accounts/registrations.ts'
import { replays } from './events/replays.ts'
import { deleteExpired } from './retention.ts'
import { monitoring } from './monitoring.ts'
import { accountChanges, type StoreParts } from './changes.ts'
import { smsMessages } from './sms/index.ts'
import { users } from './admin/users.ts'

/** The areas of the data access. All throw Failure 503 `database_unavailable` if the database cannot be reached. */
const AREAS = {
  accounts,
  bearerAccounts,
  sessions,
  factors,
  profiles,
  emailVerifications,
  emailConfirmations,
  exports: accountExports,
  deletions,
  passwords,
  recovery,
  undos,
  registrations,
  phoneVerifications,
  files: fileRows,
  fileStore: fileStoreRows,
  audit,
  auditTrail,
  auditSeals,
  users,
  administration,
  events,
  replays,
  imports,
  keyHolders,
  idempotencyKeys,
  mails,
  mailListing,
  monitoring,
  smsMessages,
}

type Areas = { [Name in keyof typeof AREAS]: ReturnType<(typeof AREAS)[Name]> }

export type Store = Areas & {
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
  const { pool, prisma } = database
  const { clock, log, tracer, hasWebhook = false, deliveries } = options
  const traceParent = (): string | null => currentTraceparent(tracer) ?? null
  const outbox = { hasWebhook, traceParent, onCommit: (added: Outgoing) => deliveries?.[added]?.() }
  const given = { pool, prisma, clock, log, outbox }
  const parts: StoreParts = { ...given, ...accountChanges(given) }
  const areas = Object.entries(AREAS).map(([name, open]) => [name, withDatabaseErrors(open(parts))])
  return {
    ...(Object.fromEntries(areas) as Areas),
    ...withDatabaseErrors({ ping: readiness(pool, MIGRATIONS) }),
    openLookups: () => openLookups(database),
    addDemoAccounts: () => addDemoAccounts(database),
    addDemoFiles: (put) => addDemoFiles(database, put),
    hasDemoAccounts: () => hasDemoAccounts(database),
    deleteExpired: (auditDays) => deleteExpired(database, auditDays, log),
  }
}
