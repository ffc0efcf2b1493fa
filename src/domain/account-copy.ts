import type { components } from '../../generated/types.ts'
import type { AccountStatus } from './administration.ts'
import type { KeptFile } from './file.ts'
import type { Profile } from './profile.ts'
import type { SessionRow } from './session.ts'
import type { EventName } from './trace.ts'

/** What the owner of an account gets to read of it. */
export type AccountExport = components['schemas']['AccountExport']

/** All that is kept of an account, but for what is secret. */
export type AccountCopy = Profile &
  Readonly<{
    status: AccountStatus
    createdAt: Date
    keptFiles: readonly (KeptFile & Readonly<{ uploadedAt: Date }>)[]
    /** The one used last first */
    sessions: readonly (SessionRow & Readonly<{ endedAt: Date | null }>)[]
    /** The newest first */
    events: readonly PastEvent[]
  }>

/** An event of the audit trail, as far as it is about the account. */
export type PastEvent = Readonly<{
  at: Date
  event: EventName
  subject: string | null
  /** Null where an administrator did it: the address is theirs */
  address: string | null
  isByAdministrator: boolean
}>
