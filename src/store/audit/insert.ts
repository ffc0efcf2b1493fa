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

/** What the statement of a change knows before it runs; the account may be one that it adds. */
const GIVEN = ['event', 'subject', 'address', 'requestId'] as const satisfies readonly (keyof Row)[]

/**
 * Returns the statement that records the event of `auditParameters` for each row of `from`. Its text is fixed, so that
 * the statement of a change can include it and still be prepared once.
 *
 * @param at the number of the first of the parameters
 * @param options.accountId an expression over `from`
 */
export function auditInsertForEach(
  at: number,
  { accountId = 'NULL::int', from }: { accountId?: string; from: string },
): string {
  const names = GIVEN.map((field) => COLUMNS[field].name).join(', ')
  const parameters = GIVEN.map((_, index) => `$${at + index}`).join(', ')
  return `
    INSERT INTO audit_events (${names}, ${COLUMNS.accountId.name})
    SELECT ${parameters}, ${accountId} FROM ${from}`
}

/** Returns the parameters of `auditInsertForEach`. */
export function auditParameters(event: Omit<AuditEvent, 'accountId'>): unknown[] {
  return GIVEN.map((field) => event[field])
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
