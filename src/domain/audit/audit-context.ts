import type { components } from '../../../generated/types.ts'

/** The subject of an audit event, and the request that caused it. */
export type AuditContext = Readonly<{
  /** The masked e-mail address or phone number; null if the account identifies the subject */
  subject: string | null
  /** Null, like the request, for actions of an operator on the server */
  address: string | null
  requestId: string | null
}>

/** An event of the audit trail: see `AuditEvent` in prisma/schema.prisma. */
export type AuditEvent = AuditContext &
  Readonly<{
    event: EventName
    /** The account that the event is about */
    accountId?: number
    /** The account that acted on another one */
    actorId?: number
    /** The reason that the actor gave */
    reason?: string | null
  }>

export type EventName = components['schemas']['AuditEvent']['event']

/** Returns the audit context of a request. `subject` is null if the account identifies it. */
export function toAuditContext(
  { address, requestId }: Omit<AuditContext, 'subject'>,
  subject: string | null = null,
): AuditContext {
  return { subject, address, requestId }
}
