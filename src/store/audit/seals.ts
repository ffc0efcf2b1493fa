import { setTimeout as pause } from 'node:timers/promises'
import type { AuditSeal, SealedEvent } from '../../domain/audit/audit-seal.ts'
import { column, pick, query, queryOnlyRow, queryRow, queryRows, table, type Columns } from '../../database/sql.ts'
import type { StoreParts } from '../changes.ts'

export type AuditSeals = {
  last(): Promise<AuditSeal | undefined>
  /**
   * Returns the id up to which events can be sealed: they are older than `minutes`, and no running transaction can add
   * one below that id. Returns undefined if there are none after `sealedUpTo`, or if a transaction runs too long.
   */
  settledUpTo(sealedUpTo: bigint, minutes: number): Promise<bigint | undefined>
  /** Returns events in the order of their ids, at most `limit`. */
  events(fromId: bigint, toId: bigint, limit: number): Promise<SealedEvent[]>
  /** Adds a seal. Returns false if another instance has added the seal of this number. */
  add(seal: AuditSeal): Promise<boolean>
  /** Returns seals by number, at most `limit`. `isExpired` is true if retention may delete all their events. */
  list(afterNumber: number, limit: number, auditDays: number): Promise<(AuditSeal & { isExpired: boolean })[]>
  /** Returns how many events are not sealed yet, and whether the oldest of them is older than `hours`. */
  unsealed(sealedUpTo: bigint, hours: number): Promise<{ count: number; isLate: boolean }>
}

const SETTLING_ATTEMPTS = 20
const SETTLING_PAUSE_MS = 100

const OLD_ENOUGH = query<{ id: bigint | null }>(
  {
    id: column(`coalesce(
      (SELECT min(id) - 1 FROM (
        SELECT id FROM audit_events WHERE id > $1 AND at >= service_now() - make_interval(mins => $2) OFFSET 0) AS recent),
      (SELECT max(id) FROM audit_events))`),
  },
  (list) => `SELECT ${list}`,
)

/**
 * The transactions that write to the table. An INSERT locks the table before it takes its id, so these include every
 * transaction that can still add an event below a known id.
 */
const WRITERS = query<{ writer: string }>(
  { writer: column('virtualtransaction') },
  (list) => `
    SELECT DISTINCT ${list} FROM pg_locks
    WHERE relation = 'audit_events'::regclass AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND pid IS DISTINCT FROM pg_backend_pid()`,
)

const e = table('AuditEvent', 'e')
const EVENTS = query<SealedEvent>(
  pick(e, 'id', 'at', 'event', 'accountId', 'actorId', 'requestId'),
  (list) => `SELECT ${list} FROM audit_events e WHERE e.id BETWEEN $1 AND $2 ORDER BY e.id LIMIT $3`,
)

const SEAL: Columns<AuditSeal> = table('AuditSeal', 's')
const LAST = query(SEAL, (list) => `SELECT ${list} FROM audit_seals s ORDER BY s.number DESC LIMIT 1`)
const LIST = query<AuditSeal & { isExpired: boolean }>(
  {
    ...SEAL,
    isExpired: column(`s.last_at < now() - make_interval(days => $3)`),
  },
  (list) => `SELECT ${list} FROM audit_seals s WHERE s.number > $1 ORDER BY s.number LIMIT $2`,
)
const UNSEALED = query<{ count: number; isLate: boolean }>(
  {
    count: column('count(*)::int'),
    isLate: column(`coalesce(min(at) < service_now() - make_interval(hours => $2), FALSE)`),
  },
  (list) => `SELECT ${list} FROM audit_events WHERE id > $1`,
)

export function auditSeals({ pool, prisma }: StoreParts): AuditSeals {
  const writers = async (): Promise<Set<string>> =>
    new Set((await queryRows(pool, WRITERS)).map(({ writer }) => writer))

  return {
    last: () => queryRow(pool, LAST),
    async settledUpTo(sealedUpTo, minutes) {
      const { id } = await queryOnlyRow(pool, OLD_ENOUGH, sealedUpTo, minutes)
      if (id === null || id <= sealedUpTo) return undefined
      let running = await writers()
      for (let attempt = 0; running.size > 0; attempt++) {
        if (attempt === SETTLING_ATTEMPTS) return undefined
        await pause(SETTLING_PAUSE_MS, undefined, { ref: false })
        const now = await writers()
        running = new Set([...running].filter((writer) => now.has(writer)))
      }
      return id
    },
    events: (fromId, toId, limit) => queryRows(pool, EVENTS, fromId, toId, limit),
    async add(seal) {
      return (await prisma.auditSeal.createMany({ data: [seal], skipDuplicates: true })).count === 1
    },
    list: (afterNumber, limit, auditDays) => queryRows(pool, LIST, afterNumber, limit, auditDays),
    unsealed: (sealedUpTo, hours) => queryOnlyRow(pool, UNSEALED, sealedUpTo, hours),
  }
}
