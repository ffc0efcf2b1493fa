import type { Clock } from '../domain/clock.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'

/** The identity of this database in its file store, and the objects there that have no row. */
export type FileStoreRows = {
  /** The identity is created by the first call. A copy of a database has the identity of the original. */
  identity(): Promise<StoreIdentity>
  setGeneration(generation: number): Promise<void>
  /**
   * Begins a sweep, unless another one runs or the last one ended less than `minutesApart` ago.
   *
   * @param sweepId names the sweep in `continueSweep` and `endSweep`
   */
  beginSweep(sweepId: string, minutesApart: number): Promise<boolean>
  /** Whether the sweep may go on. It may no longer when it has paused for so long that another one may have begun. */
  continueSweep(sweepId: string): Promise<boolean>
  endSweep(sweepId: string, isComplete: boolean): Promise<void>
  /** Which of the keys have no row: `orphans` are new, `waiting` are scheduled for deletion. */
  withoutRow(keys: readonly string[]): Promise<{ orphans: string[]; waiting: string[] }>
  /** Schedules the deletion of orphans. */
  quarantine(keys: readonly string[], days: number): Promise<void>
  /** Keys whose deletion is due, the oldest first. A key that has a row is never among them. */
  due(reason: RemovalReason, limit: number): Promise<string[]>
  /** Ends the schedule of keys: their objects are deleted. */
  forget(keys: readonly string[]): Promise<void>
}

export type StoreIdentity = Readonly<{ databaseId: string; generation: number }>
export type RemovalReason = 'orphaned' | 'account_deleted'

/** A sweep that stops without a word, because its process was killed, lets others begin after this. */
const SWEEP_MINUTES_MAX = 10

const BEGIN = `
  UPDATE file_store SET sweep_id = $2::uuid, sweep_until = ${NOW} + interval '${SWEEP_MINUTES_MAX} minutes'
  WHERE (sweep_until IS NULL OR sweep_until < ${NOW})
    AND (swept_at IS NULL OR swept_at <= ${NOW} - make_interval(mins => $3))`

const CONTINUE = `
  UPDATE file_store SET sweep_until = ${NOW} + interval '${SWEEP_MINUTES_MAX} minutes' WHERE sweep_id = $2::uuid`

const END = `
  UPDATE file_store SET sweep_id = NULL, sweep_until = NULL, swept_at = CASE WHEN $3 THEN ${NOW} ELSE swept_at END
  WHERE sweep_id = $2::uuid`

const WITHOUT_ROW = `
  SELECT k.key, r.key IS NOT NULL AS "isScheduled"
  FROM unnest($1::text[]) AS k(key) LEFT JOIN file_removals r ON r.key = k.key
  WHERE NOT EXISTS (SELECT FROM files f WHERE f.key = k.key)`

const QUARANTINE = `
  INSERT INTO file_removals (key, reason, due_at)
  SELECT key, 'orphaned', ${NOW} + make_interval(days => $3) FROM unnest($2::text[]) AS k(key)
  ON CONFLICT DO NOTHING`

const DUE = `
  SELECT key FROM file_removals r
  WHERE reason = $2::"RemovalReason" AND due_at <= ${NOW} AND NOT EXISTS (SELECT FROM files f WHERE f.key = r.key)
  ORDER BY due_at LIMIT $3`

export function fileStoreRows({ pool, prisma }: Database, clock: Clock): FileStoreRows {
  const shift = (): number => clock.shiftMs() / 1000
  const countOf = async (text: string, ...values: unknown[]): Promise<number> =>
    (await pool.query(text, [shift(), ...values])).rowCount ?? 0

  return {
    identity: () =>
      prisma.fileStore.upsert({
        where: { id: 1 },
        create: {},
        update: {},
        select: { databaseId: true, generation: true },
      }),
    async setGeneration(generation) {
      await prisma.fileStore.update({ where: { id: 1 }, data: { generation } })
    },
    beginSweep: async (sweepId, minutesApart) => (await countOf(BEGIN, sweepId, minutesApart)) === 1,
    continueSweep: async (sweepId) => (await countOf(CONTINUE, sweepId)) === 1,
    async endSweep(sweepId, isComplete) {
      await countOf(END, sweepId, isComplete)
    },
    async withoutRow(keys) {
      const { rows } = await pool.query<{ key: string; isScheduled: boolean }>(WITHOUT_ROW, [keys])
      const keysOf = (isScheduled: boolean): string[] =>
        rows.filter((row) => row.isScheduled === isScheduled).map(({ key }) => key)
      return { orphans: keysOf(false), waiting: keysOf(true) }
    },
    async quarantine(keys, days) {
      await countOf(QUARANTINE, keys, days)
    },
    async due(reason, limit) {
      const { rows } = await pool.query<{ key: string }>(DUE, [shift(), reason, limit])
      return rows.map(({ key }) => key)
    },
    async forget(keys) {
      await prisma.fileRemoval.deleteMany({ where: { key: { in: [...keys] } } })
    },
  }
}
