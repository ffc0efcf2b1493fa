import type { Data, Operation } from '../contract.ts'
import { maskAddress } from '../domain/mask.ts'
import type { Context } from '../context.ts'
import { traceOf } from '../domain/trace.ts'
import { filtersText } from './shared/list-record.ts'
import { LAST_MS, momentOf } from './shared/moment.ts'
import { cursorOf, PAGE_LENGTH, pageOf, readCursor } from './shared/page.ts'

type AuditRow = Awaited<ReturnType<Context['store']['auditTrail']['list']>>[number]

export const adminListAudit: Operation<'adminListAudit'> = async (call, { store }) => {
  const { query, bearer, client, reply } = call
  const { account_id: accountId, actor_id: actorId, event, since, until, limit = PAGE_LENGTH, cursor } = query

  const before = cursor === undefined ? undefined : placeOf(cursor)
  const times = { since: momentOf('since', since), until: momentOf('until', until) }
  const rows = await store.auditTrail.list({ accountId, actorId, event, ...times, before }, limit + 1)
  const { page, last } = pageOf(rows, limit)
  const { cursor: _, ...filters } = query
  await store.audit.record({
    event: 'audit_listed',
    actorId: bearer.accountId,
    ...traceOf(client, filtersText(filters)),
  })

  return reply({ events: page.map(eventOf), next_cursor: last ? cursorOf(last.at.getTime(), last.id) : null })
}

function placeOf(cursor: string): { at: Date; id: bigint } {
  const [atMs = 0, id = 0] = readCursor(cursor, 2)
  return { at: new Date(Math.min(atMs, LAST_MS)), id: BigInt(id) }
}

function eventOf({ id, at, event, address, ...row }: AuditRow): Data<'adminListAudit'>['events'][number] {
  return {
    id: String(id),
    at: at.toISOString(),
    event,
    account_id: row.accountId,
    actor_id: row.actorId,
    subject: row.subject,
    reason: row.reason,
    address: address === null ? null : maskAddress(address),
    request_id: row.requestId,
  }
}
