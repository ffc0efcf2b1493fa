import { column, execute, isNotNull, query, queryRows, table } from '../../database/sql.ts'
import type { StoreParts } from '../changes.ts'
import { fileOwnershipRows, type FileOwnershipRows } from './ownership.ts'

/** The files of the database, and the objects of its file store without a row. */
export type FileStoreRows = FileOwnershipRows & {
  /**
   * Begins a sweep, unless another one runs or the last one ended less than `minutesApart` ago. Returns whether it did.
   *
   * @param sweepId identifies the sweep in `continueSweep` and `endSweep`
   */
  beginSweep(sweepId: string, minutesApart: number): Promise<boolean>
  /** Extends a sweep. Returns false if another sweep has begun since, because this one paused for too long. */
  continueSweep(sweepId: string): Promise<boolean>
  endSweep(sweepId: string, isComplete: boolean): Promise<void>
  /** Returns the keys without a row: `orphans` are new, `waiting` are already scheduled for deletion. */
  withoutRow(keys: readonly string[]): Promise<{ orphans: string[]; waiting: string[] }>
  /** Schedules the deletion of orphans. */
  quarantine(keys: readonly string[], days: number): Promise<void>
  /** Returns the keys whose deletion is due, the oldest first, except keys that have a row. */
  due(reason: RemovalReason, limit: number): Promise<string[]>
  /** Removes keys from the schedule, after their objects were deleted. */
  forget(keys: readonly string[]): Promise<void>
  /** Lists files in the order of their keys, from the one after a key on. */
  listAfter(key: string, limit: number): Promise<OwnedFile[]>
}

/** A file that the database names */
export type OwnedFile = Readonly<{ key: string; kind: string; accountId: number }>
export type RemovalReason = 'orphaned' | 'account_deleted'

/** After this time without an extension, another sweep may begin, because the process may have been killed. */
const SWEEP_MINUTES_MAX = 10

const BEGIN = `
  UPDATE file_store SET sweep_id = $1::uuid, sweep_until = service_now() + interval '${SWEEP_MINUTES_MAX} minutes'
  WHERE (sweep_until IS NULL OR sweep_until < service_now())
    AND (swept_at IS NULL OR swept_at <= service_now() - make_interval(mins => $2))`

const CONTINUE = `
  UPDATE file_store SET sweep_until = service_now() + interval '${SWEEP_MINUTES_MAX} minutes' WHERE sweep_id = $1::uuid`

const END = `
  UPDATE file_store SET sweep_id = NULL, sweep_until = NULL, swept_at = CASE WHEN $2 THEN service_now() ELSE swept_at END
  WHERE sweep_id = $1::uuid`

const WITHOUT_ROW = query<{ key: string; isScheduled: boolean }>(
  { key: column('k.key'), isScheduled: isNotNull(table('FileRemoval', 'r').key) },
  (list) => `
    SELECT ${list} FROM unnest($1::text[]) AS k(key) LEFT JOIN file_removals r ON r.key = k.key
    WHERE NOT EXISTS (SELECT FROM files f WHERE f.key = k.key OFFSET 0)`, // looks up each key, instead of reading all files
)

const f = table('File', 'f')

const LIST = query<OwnedFile>(
  { key: f.key, kind: f.kind, accountId: f.accountId },
  (list) => `SELECT ${list} FROM files f WHERE f.key > $1 ORDER BY f.key LIMIT $2`,
)

const QUARANTINE = `
  INSERT INTO file_removals (key, reason, due_at)
  SELECT key, 'orphaned', service_now() + make_interval(days => $2) FROM unnest($1::text[]) AS k(key)
  ON CONFLICT DO NOTHING`

const DUE = query<{ key: string }>(
  { key: table('FileRemoval', 'r').key },
  (list) => `
    SELECT ${list} FROM file_removals r
    WHERE r.reason = $1::"RemovalReason" AND r.due_at <= service_now()
      AND NOT EXISTS (SELECT FROM files f WHERE f.key = r.key)
    ORDER BY r.due_at LIMIT $2`,
)

export function fileStoreRows(parts: StoreParts): FileStoreRows {
  const { pool, prisma } = parts
  return {
    ...fileOwnershipRows(parts),
    beginSweep: async (sweepId, minutesApart) => (await execute(pool, BEGIN, sweepId, minutesApart)) === 1,
    continueSweep: async (sweepId) => (await execute(pool, CONTINUE, sweepId)) === 1,
    async endSweep(sweepId, isComplete) {
      await execute(pool, END, sweepId, isComplete)
    },
    async withoutRow(keys) {
      const rows = await queryRows(pool, WITHOUT_ROW, keys)
      const withSchedule = (isScheduled: boolean): string[] =>
        rows.filter((row) => row.isScheduled === isScheduled).map(({ key }) => key)
      return { orphans: withSchedule(false), waiting: withSchedule(true) }
    },
    async quarantine(keys, days) {
      await execute(pool, QUARANTINE, keys, days)
    },
    async due(reason, limit) {
      return (await queryRows(pool, DUE, reason, limit)).map(({ key }) => key)
    },
    listAfter: (key, limit) => queryRows(pool, LIST, key, limit),
    async forget(keys) {
      await prisma.fileRemoval.deleteMany({ where: { key: { in: [...keys] } } })
    },
  }
}
