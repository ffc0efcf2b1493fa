import type { AuditEvent as AuditModel } from '../../../generated/prisma/client.ts'
import { insertion, type Bind } from '../../database/composed.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'

/** One member for each member of an event, with the type of its column. */
type Row = { readonly [Field in keyof AuditEvent]-?: Field extends keyof AuditModel ? AuditModel[Field] : never }

/** Returns the statement that records events. */
export function auditInsert(events: readonly AuditEvent[], bind: Bind): string {
  const rows = events.map((event) => insertion(toRow(event), bind))
  const values = rows.map((row) => `(${row.values})`)
  return `INSERT INTO audit_events (${rows[0]?.columns ?? ''}) VALUES ${values.join(', ')}`
}

/** Returns the statement that records one event, for each row of `from`. */
export function auditInsertFrom(event: AuditEvent, from: string, bind: Bind): string {
  const { columns, values } = insertion(toRow(event), bind)
  return `INSERT INTO audit_events (${columns}) SELECT ${values} FROM ${from}`
}

function toRow({ event, accountId, actorId, subject, reason, address, requestId }: AuditEvent): Row {
  return {
    event,
    accountId: accountId ?? null,
    actorId: actorId ?? null,
    subject,
    reason: reason ?? null,
    address,
    requestId,
  }
}
