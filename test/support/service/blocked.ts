// Statements that wait for a lock of another session.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const POLL_MS = 10
const WAIT_MS_MAX = 20_000

/**
 * Waits until statements of the database wait for a lock. Returns the ids of their processes.
 *
 * @param pool not the connection of a transaction, which would see the same activity each time
 */
export async function untilBlocked(pool: pg.Pool): Promise<number[]> {
  const deadlineMs = Date.now() + WAIT_MS_MAX
  while (Date.now() < deadlineMs) {
    const { rows } = await pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    if (rows.length > 0) return rows.map(({ pid }) => pid)
    await sleep(POLL_MS)
  }
  throw new Error('no statement waits for a lock')
}
