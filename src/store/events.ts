import type { Event as Row, Prisma } from '../../generated/prisma/client.ts'
import { LIMITS } from '../../generated/limits.ts'
import type { Clock } from '../domain/clock.ts'
import type { AccountEvent, DueEvent, EventState } from '../domain/event.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'

export type EventFilters = Readonly<{
  type: AccountEvent['type'] | undefined
  state: EventState | undefined
  accountId: number | undefined
  /** Only events whose ids are below */
  before: bigint | undefined
}>

export type EventRow = Omit<Row, 'type' | 'data' | 'at' | 'accountId'> & { event: AccountEvent; state: EventState }

type Attempt = Pick<DueEvent, 'id' | 'attempts'>

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
}

/** Longer than an attempt lasts: an event is due again when the process that took it has ended. */
const LEASE_SECONDS = 4 * LIMITS.events.answer_seconds

const TAKE = `
  UPDATE events SET attempts = attempts + 1, last_attempt_at = ${NOW}, last_failure = NULL,
    next_attempt_at = ${NOW} + interval '${LEASE_SECONDS} seconds'
  WHERE id IN (
    SELECT id FROM events WHERE next_attempt_at <= ${NOW} ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING id, webhook_id AS "webhookId", type, at, data, attempts`

const OF_ATTEMPT = 'WHERE id = $2 AND attempts = $3 AND delivered_at IS NULL'

const DELIVERED = `
  UPDATE events SET delivered_at = ${NOW}, next_attempt_at = NULL, last_failure = NULL ${OF_ATTEMPT}`

const FAILED = `
  UPDATE events SET last_failure = $4, next_attempt_at = ${NOW} + make_interval(secs => $5) ${OF_ATTEMPT}`

export function events({ prisma, pool }: Database, clock: Clock): Events {
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async list({ type, state, accountId, before }, limit) {
      const where: Prisma.EventWhereInput = {
        ...(type !== undefined && { type }),
        ...(accountId !== undefined && { accountId }),
        ...(before !== undefined && { id: { lt: before } }),
        ...(state && IN_STATE[state]),
      }
      const rows = await prisma.event.findMany({ where, orderBy: { id: 'desc' }, take: limit })
      return rows.map((row) => ({ ...row, event: eventOf(row), state: stateOf(row) }))
    },
    async takeDue(limit) {
      type Due = Pick<Row, 'webhookId' | 'type' | 'at' | 'data' | 'attempts'> & { id: string }
      const { rows } = await pool.query<Due>(TAKE, [shift(), limit])
      return rows.map((row) => ({ ...row, id: BigInt(row.id), event: eventOf(row) }))
    },
    async markDelivered({ id, attempts }) {
      await pool.query(DELIVERED, [shift(), id, attempts])
    },
    async markFailed({ id, attempts }, failure, retryAfterSeconds) {
      await pool.query(FAILED, [shift(), id, attempts, failure, retryAfterSeconds ?? null])
    },
  }
}

function eventOf({ type, at, data }: Pick<Row, 'type' | 'at' | 'data'>): AccountEvent {
  return { type, timestamp: at.toISOString(), data } as AccountEvent // no others are written
}

const DONE = { nextAttemptAt: null, deliveredAt: null }

export const IN_STATE = {
  waiting: { nextAttemptAt: { not: null } },
  delivered: { deliveredAt: { not: null } },
  failed: { ...DONE, attempts: { gt: 0 } },
  unsent: { ...DONE, attempts: 0 },
} as const satisfies Record<EventState, Prisma.EventWhereInput>

function stateOf({ nextAttemptAt, deliveredAt, attempts }: Row): EventState {
  if (nextAttemptAt) return 'waiting'
  if (deliveredAt) return 'delivered'
  return attempts > 0 ? 'failed' : 'unsent'
}
