import { Prisma, type Event as Row } from '../../generated/prisma/client.ts'
import { LIMITS } from '../../generated/limits.ts'
import type { Clock } from '../domain/clock.ts'
import type { AccountEvent, DueEvent, EventState } from '../domain/event.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'
import { onceOnly } from './once-only.ts'

export type EventFilters = Readonly<{
  type: AccountEvent['type'] | undefined
  state: EventState | undefined
  accountId: number | undefined
  /** Only events whose ids are below */
  before: bigint | undefined
}>

type Listed = Omit<Row, 'accountId'> & { state: EventState }

export type EventRow = Omit<Listed, 'type' | 'data' | 'at'> & { event: AccountEvent }

type Attempt = Pick<DueEvent, 'id' | 'takenAt'>

/** What happened to accounts, and how far the telling of it has come. */
export type Events = {
  /** The newest events that the filters leave, at most `limit` */
  list(filters: EventFilters, limit: number): Promise<EventRow[]>
  /** Takes events whose time has come, and counts an attempt: for as long as that may last, others do not take them. */
  takeDue(limit: number): Promise<DueEvent[]>
  /** The attempt succeeded. One that was overtaken changes nothing. */
  markDelivered(attempt: Attempt): Promise<void>
  /** The attempt failed. The event is due again so much later, or never. */
  markFailed(attempt: Attempt, failure: string, retryAfterSeconds: number | undefined): Promise<void>
  /** The attempt was not made, or cut off. The event is due at once, for others. */
  giveBack(attempt: Attempt): Promise<void>
}

/** The state of a row, in SQL */
export const STATE_OF_EVENT = `(CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN delivered_at IS NOT NULL THEN 'delivered'
  WHEN attempts > 0 THEN 'failed' ELSE 'unsent' END)`

/** Longer than an attempt lasts: an event is due again when the process that took it has ended. */
const LEASE_SECONDS = 4 * LIMITS.events.answer_seconds

const TAKE = `
  UPDATE events SET attempts = attempts + 1, last_attempt_at = ${NOW}, last_failure = NULL,
    next_attempt_at = ${NOW} + interval '${LEASE_SECONDS} seconds'
  WHERE id = ANY (${onceOnly(
    `SELECT id FROM events WHERE next_attempt_at <= ${NOW} ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
  )})
  RETURNING id, webhook_id AS "webhookId", type, at, data, attempts, last_attempt_at AS "takenAt"`

const OF_ATTEMPT = 'WHERE id = $2 AND last_attempt_at = $3'

const DELIVERED = `
  UPDATE events SET delivered_at = ${NOW}, next_attempt_at = NULL, last_failure = NULL ${OF_ATTEMPT}`

const GIVEN_BACK = `UPDATE events SET attempts = attempts - 1, next_attempt_at = ${NOW} ${OF_ATTEMPT}`

const FAILED = `
  UPDATE events SET last_failure = $4, next_attempt_at = ${NOW} + make_interval(secs => $5) ${OF_ATTEMPT}`

export function events({ prisma, pool }: Database, clock: Clock): Events {
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async list(filters, limit) {
      const rows = await prisma.$queryRaw<Listed[]>`
        SELECT id, webhook_id AS "webhookId", type, at, data, attempts, last_attempt_at AS "lastAttemptAt",
          last_failure AS "lastFailure", next_attempt_at AS "nextAttemptAt", delivered_at AS "deliveredAt",
          ${Prisma.raw(STATE_OF_EVENT)} AS state
        FROM events WHERE ${Prisma.join(conditions(filters), ' AND ')} ORDER BY id DESC LIMIT ${limit}`
      return rows.map((row) => ({ ...row, event: eventOf(row) }))
    },
    async takeDue(limit) {
      type Due = Pick<Row, 'webhookId' | 'type' | 'at' | 'data' | 'attempts'> & { id: string; takenAt: Date }
      const { rows } = await pool.query<Due>(TAKE, [shift(), limit])
      return rows.map((row) => ({ ...row, id: BigInt(row.id), event: eventOf(row) }))
    },
    async markDelivered({ id, takenAt }) {
      await pool.query(DELIVERED, [shift(), id, takenAt])
    },
    async giveBack({ id, takenAt }) {
      await pool.query(GIVEN_BACK, [shift(), id, takenAt])
    },
    async markFailed({ id, takenAt }, failure, retryAfterSeconds) {
      await pool.query(FAILED, [shift(), id, takenAt, failure, retryAfterSeconds ?? null])
    },
  }
}

function eventOf({ type, at, data }: Pick<Row, 'type' | 'at' | 'data'>): AccountEvent {
  return { type, timestamp: at.toISOString(), data } as AccountEvent // no others are written
}

function conditions({ type, state, accountId, before }: EventFilters): Prisma.Sql[] {
  const { sql } = Prisma
  return [
    sql`TRUE`,
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(state === undefined ? [] : [sql`${Prisma.raw(STATE_OF_EVENT)} = ${state}`]),
    ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
  ]
}
