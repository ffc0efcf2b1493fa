import type { AuditEvent as AuditModel } from '../../../generated/prisma/client.ts'
import type { Bind } from '../../database/composed.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'

/** One member for each member of an event, with the type of its column. */
type Row = { readonly [Field in keyof AuditEvent]-?: Field extends keyof AuditModel ? AuditModel[Field] : never }

const COLUMNS: Readonly<Record<keyof Row, { name: string; type: string }>> = {
  event: { name: 'event', type: 'text' },
  accountId: { name: 'account_id', type: 'int' },
  actorId: { name: 'actor_id', type: 'int' },
  subject: { name: 'subject', type: 'text' },
  reason: { name: 'reason', type: 'text' },
  address: { name: 'address', type: 'text' },
  requestId: { name: 'request_id', type: 'text' },
}
const FIELDS = Object.keys(COLUMNS) as (keyof Row)[] // COLUMNS has exactly these keys
const NAMES = FIELDS.map((field) => COLUMNS[field].name).join(', ')

/** Returns the statement that records events in their order. */
export function auditInsert(events: readonly AuditEvent[], bind: Bind): string {
  return `INSERT INTO audit_events (${NAMES}) ${valuesSql(events, bind)}`
}

/** Returns the statement that records events in their order, if `from` has a row. */
export function auditInsertFrom(from: string, events: readonly AuditEvent[], bind: Bind): string {
  return `INSERT INTO audit_events (${NAMES}) SELECT v.* FROM ${from}, (${valuesSql(events, bind)}) AS v`
}

function valuesSql(events: readonly AuditEvent[], bind: Bind): string {
  const rows = events.map((event) => {
    const row = toRow(event)
    return `(${FIELDS.map((field) => `${bind(row[field])}::${COLUMNS[field].type}`).join(', ')})`
  })
  return `VALUES ${rows.join(', ')}`
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
