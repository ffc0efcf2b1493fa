import type { AuditEvent } from '../../domain/audit/audit-context.ts'

/**
 * Returns the statement that records an event for each row of `from`, as a part of the statement of the change.
 *
 * @param at the number of the first of the four parameters that `auditValues` returns
 * @param options.accountId an expression over `from`
 */
export function auditInsert(
  at: number,
  { accountId = 'NULL::int', from }: { accountId?: string; from: string },
): string {
  return `
    INSERT INTO audit_events (event, account_id, subject, address, request_id)
    SELECT $${at}, ${accountId}, $${at + 1}, $${at + 2}, $${at + 3} FROM ${from}`
}

export function auditValues({ event, subject, address, requestId }: Omit<AuditEvent, 'accountId'>): unknown[] {
  return [event, subject, address, requestId]
}
