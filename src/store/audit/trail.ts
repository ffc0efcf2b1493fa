import type { EventName } from '../../domain/audit/audit-context.ts'
import { narrowed, queryRows, select, table, type Column } from '../../database/sql.ts'
import { Prisma, type AuditEvent } from '../../../generated/prisma/client.ts'
import type { StoreParts } from '../changes.ts'

export type AuditFilters = Readonly<{
  accountId?: number | undefined
  actorId?: number | undefined
  event?: EventName | undefined
  requestId?: string | undefined
  /** A masked address: all events of its network */
  network?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** Only events after this one in the list, which is sorted newest first */
  before?: { at: Date; id: bigint } | undefined
}>

export type AuditRow = Omit<AuditEvent, 'event'> & { event: EventName }

export type AuditTrail = {
  /** Returns the newest events that match the filters, at most `limit`. */
  list(filters: AuditFilters, limit: number): Promise<AuditRow[]>
}

const e = table('AuditEvent', 'e')
const event: Column<EventName> = narrowed(e.event) // no other events are recorded
const ROW = select<AuditRow>({ ...e, event })

/** `maskAddress` in SQL. Must match the expression of the index `audit_events_network_at_idx`. */
const NETWORK = String.raw`(CASE WHEN strpos(address, ':') = 0 THEN regexp_replace(address, '\d+$', '*')
  ELSE regexp_replace(split_part(address, '::', 1), '^(([^:]*:){0,2}[^:]*).*$', '\1:*') END)`

type Given = { [Name in keyof AuditFilters]-?: NonNullable<AuditFilters[Name]> }

/** The condition of each filter. Each of them has an index, which also has the time. */
const CONDITIONS: { [Name in keyof Given]: (value: Given[Name]) => Prisma.Sql } = {
  accountId: (id) => Prisma.sql`account_id = ${id}`,
  actorId: (id) => Prisma.sql`actor_id = ${id}`,
  event: (name) => Prisma.sql`event = ${name}`,
  requestId: (id) => Prisma.sql`request_id = ${id}`,
  network: (masked) => Prisma.sql`${Prisma.raw(NETWORK)} = ${masked}`,
  since: (at) => Prisma.sql`at >= ${at}`,
  until: (at) => Prisma.sql`at < ${at}`,
  before: ({ at, id }) => Prisma.sql`(at, id) < (${at}, ${id})`,
}

export function auditTrail({ pool }: Pick<StoreParts, 'pool'>): AuditTrail {
  return {
    list(filters, limit) {
      const { text, values } = listSql(filters, limit)
      return queryRows(pool, { text, read: ROW.read }, ...values)
    },
  }
}

function listSql(filters: AuditFilters, limit: number): Prisma.Sql {
  const { sql, raw, join } = Prisma
  const names = Object.keys(CONDITIONS) as (keyof Given)[] // CONDITIONS has exactly these keys
  const conditions = [sql`TRUE`, ...names.flatMap((name) => conditionOf(name, filters))]
  return sql`SELECT ${raw(ROW.list)} FROM audit_events e WHERE ${join(conditions, ' AND ')}
    ORDER BY at DESC, id DESC LIMIT ${limit}`
}

function conditionOf(name: keyof Given, filters: AuditFilters): Prisma.Sql[] {
  const condition = CONDITIONS[name] as (value: unknown) => Prisma.Sql // each accepts the value of its name
  return filters[name] === undefined ? [] : [condition(filters[name])]
}
