import type { components } from '../../generated/types.ts'

/** Whom an event of the audit trail is about, and who brought it about. */
export type Trace = Readonly<{
  /** The e-mail address or the phone number that was meant, masked; null where the account says enough */
  subject: string | null
  /** Null, as the request, where an operator did it on the server */
  address: string | null
  requestId: string | null
}>

/** What is kept of who did what: see `AuditEvent` in prisma/schema.prisma. */
export type AuditEvent = Trace &
  Readonly<{
    event: EventName
    /** The account that it happened to */
    accountId?: number
    /** The account that did it to another one */
    actorId?: number
    /** Why, in the words of who did it */
    reason?: string | null
  }>

export type EventName = components['schemas']['AuditEvent']['event']

/** The trace of who asks; without a subject, of what somebody does to an account of their own. */
export function traceOf({ address, requestId }: Omit<Trace, 'subject'>, subject: string | null = null): Trace {
  return { subject, address, requestId }
}
