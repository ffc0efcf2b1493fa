import type { EventName } from '../../domain/audit/audit-context.ts'
import { narrowed, select, table, type Column } from '../../database/columns.ts'
import { query, queryRows } from '../../database/query.ts'
import type { AuditEvent } from '../../../generated/prisma/client.ts'
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

/** Adds a value to the parameters, and returns its placeholder. */
type AddValue = (value: unknown) => string
type Given = { [Name in keyof AuditFilters]-?: NonNullable<AuditFilters[Name]> }

/** The condition of each filter. Each of them has an index, which also has the time. */
const CONDITIONS: { [Name in keyof Given]: (value: Given[Name], add: AddValue) => string } = {
  accountId: (id, add) => `account_id = ${add(id)}`,
  actorId: (id, add) => `actor_id = ${add(id)}`,
  event: (name, add) => `event = ${add(name)}`,
  requestId: (id, add) => `request_id = ${add(id)}`,
  network: (masked, add) => `${NETWORK} = ${add(masked)}`,
  since: (at, add) => `at >= ${add(at)}`,
  until: (at, add) => `at < ${add(at)}`,
  before: ({ at, id }, add) => `(at, id) < (${add(at)}, ${add(id)})`,
}

export function auditTrail({ pool }: Pick<StoreParts, 'pool'>): AuditTrail {
  return {
    list(filters, limit) {
      const values: unknown[] = []
      const add: AddValue = (value) => `$${values.push(value instanceof Date ? value.toISOString() : value)}`
      const names = Object.keys(CONDITIONS) as (keyof Given)[] // CONDITIONS has exactly these keys
      const conditions = names.flatMap((name) => conditionOf(name, filters, add))
      const statement = query(
        ROW,
        (list) => `SELECT ${list} FROM audit_events e WHERE ${['TRUE', ...conditions].join(' AND ')}
          ORDER BY at DESC, id DESC LIMIT ${add(limit)}`,
      )
      return queryRows(pool, statement, ...values)
    },
  }
}

function conditionOf(name: keyof Given, filters: AuditFilters, add: AddValue): string[] {
  const condition = CONDITIONS[name] as (value: unknown, add: AddValue) => string // each accepts the value of its name
  return filters[name] === undefined ? [] : [condition(filters[name], add)]
}
