import { setTimeout as pause } from 'node:timers/promises'
import type { AuditSeal, SealedEvent } from '../domain/audit-seal.ts'
import type { Clock } from '../domain/clock.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'

export type AuditSeals = {
  last(): Promise<AuditSeal | undefined>
  /**
   * The id up to which events can be sealed: they are older than `minutes`, and no transaction that is still running can
   * add one below. Undefined when there are none after `sealedUpTo`, or when a transaction does not end in time.
   */
  settledUpTo(sealedUpTo: bigint, minutes: number): Promise<bigint | undefined>
  /** Events in the order of their ids, at most `limit` */
  events(fromId: bigint, toId: bigint, limit: number): Promise<SealedEvent[]>
  /** Adds a seal, unless another instance has made the seal of this number. */
  add(seal: AuditSeal): Promise<boolean>
  /** Seals in the order of their numbers, at most `limit`; `isExpired` where retention may delete all their events */
  list(afterNumber: number, limit: number, auditDays: number): Promise<(AuditSeal & { isExpired: boolean })[]>
  /** The events that are not sealed yet: how many, and whether the oldest is older than `hours` */
  unsealed(sealedUpTo: bigint, hours: number): Promise<{ count: number; isLate: boolean }>
}

const SETTLING_ATTEMPTS = 20
const SETTLING_PAUSE_MS = 100

const OLD_ENOUGH = `
  SELECT coalesce(
    (SELECT min(id) - 1 FROM audit_events WHERE id > $2 AND at >= ${NOW} - make_interval(mins => $3)),
    (SELECT max(id) FROM audit_events)) AS id`

/**
 * The transactions that write to the table. An INSERT locks it before it takes its id, so a transaction that can still
 * add an event below a known id is among them.
 */
const WRITERS = `
  SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
  WHERE relation = 'audit_events'::regclass AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND pid IS DISTINCT FROM pg_backend_pid()`

const EVENTS = `
  SELECT id, at, event, account_id AS "accountId", actor_id AS "actorId", request_id AS "requestId"
  FROM audit_events WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3`

const COLUMNS = `number, from_id AS "fromId", to_id AS "toId", rows, last_at AS "lastAt", hash, signature,
  key_id AS "keyId", sealed_at AS "sealedAt"`
const LAST = `SELECT ${COLUMNS} FROM audit_seals ORDER BY number DESC LIMIT 1`
const LIST = `
  SELECT ${COLUMNS}, last_at < now() - make_interval(days => $3) AS "isExpired"
  FROM audit_seals WHERE number > $1 ORDER BY number LIMIT $2`
const UNSEALED = `
  SELECT count(*)::int AS count, coalesce(min(at) < ${NOW} - make_interval(hours => $3), FALSE) AS "isLate"
  FROM audit_events WHERE id > $2`

export function auditSeals({ pool, prisma }: Database, clock: Clock): AuditSeals {
  const shift = (): number => clock.shiftMs() / 1000
  const writers = async (): Promise<Set<string>> =>
    new Set((await pool.query<{ writer: string }>(WRITERS)).rows.map(({ writer }) => writer))

  return {
    async last() {
      return (await pool.query<SealRow>(LAST)).rows.map(sealOf)[0]
    },
    async settledUpTo(sealedUpTo, minutes) {
      const { rows } = await pool.query<{ id: string | null }>(OLD_ENOUGH, [shift(), sealedUpTo, minutes])
      const id = BigInt(rows[0]?.id ?? 0)
      if (id <= sealedUpTo) return undefined
      let running = await writers()
      for (let attempt = 0; running.size > 0; attempt++) {
        if (attempt === SETTLING_ATTEMPTS) return undefined
        await pause(SETTLING_PAUSE_MS, undefined, { ref: false })
        const now = await writers()
        running = new Set([...running].filter((writer) => now.has(writer)))
      }
      return id
    },
    async events(fromId, toId, limit) {
      const { rows } = await pool.query<SealedEvent & { id: string }>(EVENTS, [fromId, toId, limit])
      return rows.map((row) => ({ ...row, id: BigInt(row.id) }))
    },
    async add(seal) {
      return (await prisma.auditSeal.createMany({ data: [seal], skipDuplicates: true })).count === 1
    },
    async list(afterNumber, limit, auditDays) {
      const { rows } = await pool.query<SealRow & { isExpired: boolean }>(LIST, [afterNumber, limit, auditDays])
      return rows.map((row) => ({ ...sealOf(row), isExpired: row.isExpired }))
    },
    async unsealed(sealedUpTo, hours) {
      const { rows } = await pool.query<{ count: number; isLate: boolean }>(UNSEALED, [shift(), sealedUpTo, hours])
      return rows[0] ?? { count: 0, isLate: false }
    },
  }
}

/** The driver gives numbers of 64 bits as text. */
type SealRow = Omit<AuditSeal, 'fromId' | 'toId'> & { fromId: string; toId: string }

function sealOf(row: SealRow): AuditSeal {
  return { ...row, fromId: BigInt(row.fromId), toId: BigInt(row.toId) }
}
