import type { components } from '../../../generated/types.ts'
import type { ListedPasskey } from '../factors/passkey.ts'
import type { ListedFactors } from '../factors/second-factor.ts'
import type { AccountStatus } from './administration.ts'
import type { FileObject } from '../files/file.ts'
import type { Profile } from '../profiles/profile.ts'
import type { SessionRow } from '../sessions/session.ts'
import type { EventName } from '../audit/audit-context.ts'

/** The content of `account.json` in an export. */
export type AccountExport = components['schemas']['AccountExport']

/** Everything that is stored about an account, except secrets. */
export type ExportedAccount = Profile &
  Omit<ListedFactors, 'passkeys'> &
  Readonly<{
    /** Oldest first */
    passkeys: readonly ExportedPasskey[]
    status: AccountStatus
    createdAt: Date
    storedFiles: readonly ExportedFile[]
    /** The most recently used first */
    sessions: readonly ExportedSession[]
    /** The newest first */
    events: readonly ExportedEvent[]
  }>

export type ExportedPasskey = ListedPasskey & Readonly<{ aaguid: string }>

export type ExportedFile = FileObject & Readonly<{ uploadedAt: Date }>

export type ExportedSession = SessionRow & Readonly<{ endedAt: Date | null }>

/** An event of the audit trail about the account. */
export type ExportedEvent = Readonly<{
  at: Date
  event: EventName
  subject: string | null
  /** Null for an action of an administrator, because it would be the administrator's address */
  address: string | null
  isByAdministrator: boolean
}>
