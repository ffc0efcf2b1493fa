import type { Log } from '../log.ts'
import type { Database } from './database.ts'

/** What is kept of who did what: see `AuditEvent` in prisma/schema.prisma. */
export type AuditEvent = Readonly<{
  event:
    | 'login'
    | 'login_failed'
    | 'login_suspended'
    | 'phone_checked'
    | 'phone_found_taken'
    | 'phone_confirmed'
    | 'phone_confirmation_failed'
  accountId?: number
  /** The e-mail address or the phone number that was meant, masked */
  subject: string
  address: string
  requestId: string
}>

export type Audit = { record(event: AuditEvent): Promise<void> }

/** Security events stand in the log by name, and in the database for as long as it is kept. */
export function audit({ prisma }: Database, log: Log): Audit {
  return {
    async record(event) {
      log.info(event, event.event)
      await prisma.auditEvent.create({ data: event, select: { id: true } })
    },
  }
}
