import { Prisma, type Event as Row } from '../../../generated/prisma/client.ts'
import type { AccountEvent, DueEvent, EventState } from '../../domain/event.ts'
import { batchedWrites } from '../../database/batching.ts'
import { column, pick, query, queryRows, select, table } from '../../database/sql.ts'
import { LEASE_END, leaseRenewal } from '../leases.ts'
import { EVENT_STATE, EVENT_STATES } from './outbox.ts'
import type { StoreParts } from '../changes.ts'

export type EventFilters = Readonly<{
  type: AccountEvent['type'] | undefined
  state: EventState | undefined
  accountId: number | undefined
  /** Only events with lower ids */
  before: bigint | undefined
}>

type Listed = Omit<Row, 'accountId' | 'traceParent'> & { state: EventState }

export type EventRow = Omit<Listed, 'type' | 'data' | 'at'> & { event: AccountEvent }

type Attempt = Pick<DueEvent, 'id' | 'takenAt'>

/** The events of accounts and the state of their delivery to the webhook. */
export type Events = {
  /** Returns the newest events that match the filters, at most `limit`. */
  list(filters: EventFilters, limit: number): Promise<EventRow[]>
  /** Leases due events to this process and counts an attempt. Other processes skip them until the lease expires. */
  takeDue(limit: number): Promise<DueEvent[]>
  /** Renews the leases of attempts that are running. */
  renewLeases(attempts: readonly Attempt[]): Promise<void>
  /** Marks the event of a successful attempt as delivered, unless a later attempt or a replay has replaced it. */
  markDelivered(attempt: Attempt): Promise<void>
  /** Schedules the next attempt, or none if `retryAfterSeconds` is undefined. */
  markFailed(attempt: Attempt, failure: string, retryAfterSeconds: number | undefined): Promise<void>
  /** Releases an event whose attempt was not made or was interrupted. The attempt does not count. */
  giveBack(attempt: Attempt): Promise<void>
}

const e = table('Event', 'e')

type Due = Pick<Row, 'id' | 'webhookId' | 'type' | 'at' | 'data' | 'attempts' | 'traceParent'> & { takenAt: Date }

/** The columns that a delivery and the list of events share */
const EVENT = { id: e.id, webhookId: e.webhookId, type: e.type, at: e.at, data: e.data, attempts: e.attempts }

/**
 * This statement and DELIVERED have no names, so that PostgreSQL plans them each time. A plan that a session keeps from the
 * time when the table was small reads the whole table, until statistics are updated. With the array, PostgreSQL runs the
 * subquery once, so its LIMIT limits the total.
 */
const TAKE = query<Due>(
  {
    ...EVENT,
    traceParent: e.traceParent,
    takenAt: column('e.last_attempt_at'), // set by this statement
  },
  (list) => `
    UPDATE events e SET attempts = attempts + 1, last_attempt_at = service_now(), last_failure = NULL,
      next_attempt_at = ${LEASE_END}
    WHERE id = ANY (ARRAY(
      SELECT id FROM events WHERE next_attempt_at <= service_now() ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING ${list}`,
)

const LISTED = select<Listed>({
  ...EVENT,
  ...pick(e, 'lastAttemptAt', 'lastFailure', 'nextAttemptAt', 'deliveredAt'),
  state: column(EVENT_STATE),
})

const SAME_ATTEMPT = 'WHERE id = $1 AND last_attempt_at = $2'

/** Locks the rows in the order of their ids, so that two such statements cannot wait for each other. */
const DELIVERED = `
  UPDATE events SET delivered_at = service_now(), next_attempt_at = NULL, last_failure = NULL
  WHERE id = ANY (ARRAY(
    SELECT e.id FROM unnest($1::bigint[], $2::timestamptz[]) AS attempt (id, taken_at)
    JOIN events e ON e.id = attempt.id AND e.last_attempt_at = attempt.taken_at
    ORDER BY e.id FOR UPDATE OF e))`

const GIVEN_BACK = `UPDATE events SET attempts = attempts - 1, next_attempt_at = service_now() ${SAME_ATTEMPT}`

const FAILED = `
  UPDATE events SET last_failure = $3, next_attempt_at = service_now() + make_interval(secs => $4) ${SAME_ATTEMPT}`

export function events({ pool }: StoreParts): Events {
  return {
    async list(filters, limit) {
      const { text, values } = listSql(filters, limit)
      const rows = await queryRows(pool, { text, read: LISTED.read }, ...values)
      return rows.map((row) => ({ ...row, event: toAccountEvent(row) }))
    },
    async takeDue(limit) {
      const rows = await queryRows(pool, TAKE, limit)
      return rows.map((row) => ({ ...row, event: toAccountEvent(row) }))
    },
    renewLeases: leaseRenewal(pool, 'events'),
    markDelivered: batchedWrites((attempts) => {
      const values = [attempts.map(({ id }) => id), attempts.map(({ takenAt }) => takenAt.toISOString())]
      return pool.query({ text: DELIVERED, values })
    }),
    async giveBack({ id, takenAt }) {
      await pool.query(GIVEN_BACK, [id, takenAt])
    },
    async markFailed({ id, takenAt }, failure, retryAfterSeconds) {
      await pool.query(FAILED, [id, takenAt, failure, retryAfterSeconds ?? null])
    },
  }
}

function toAccountEvent({ type, at, data }: Pick<Row, 'type' | 'at' | 'data'>): AccountEvent {
  return { type, timestamp: at.toISOString(), data } as AccountEvent // only account events are written
}

/**
 * Reads the events of a type separately for each state, because the index of types has them in this order. Any other list
 * is in the order of one index.
 */
function listSql({ type, state, accountId, before }: EventFilters, limit: number): Prisma.Sql {
  const { sql, raw, join } = Prisma
  const states = type !== undefined && accountId === undefined && state === undefined ? EVENT_STATES : [state]
  const parts = states.map((one) => {
    const conditions = [
      sql`TRUE`,
      ...(type === undefined ? [] : [sql`type = ${type}`]),
      ...(one === undefined ? [] : [sql`${raw(EVENT_STATE)} = ${one}`]),
      ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
      ...(before === undefined ? [] : [sql`id < ${before}`]),
    ]
    return sql`(SELECT * FROM events WHERE ${join(conditions, ' AND ')} ORDER BY id DESC LIMIT ${limit})`
  })
  return sql`
    SELECT ${raw(LISTED.list)} FROM (${join(parts, ' UNION ALL ')}) AS e ORDER BY e.id DESC LIMIT ${limit}`
}
