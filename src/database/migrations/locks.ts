import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type ClientBase } from 'pg'
import { StartupError } from '../../lib/startup-error.ts'

/** Receives a line of progress. */
export type Report = (line: string) => void

/**
 * How long a statement waits for a table. Meanwhile, all later queries of the table wait behind it. It is shorter than
 * the time that requests wait for a connection (1 s), so that none of them fails, and than `deadlock_timeout` (1 s), so
 * that PostgreSQL never ends a transaction of a request in favor of a migration.
 */
export const LOCK_MS_MAX = 500
/** The locks are released between attempts, for longer each time, so that waiting requests run. */
const PAUSE_MS = 500
const PAUSE_MS_MAX = 5000
const TOTAL_MS_MAX = 30 * 60_000

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/**
 * Repeats an attempt while other sessions hold the locks that it needs.
 *
 * @throws StartupError if they do so for half an hour, and whatever else the attempt throws
 */
export async function retryLocks(name: string, report: Report, attempt: () => Promise<void>): Promise<void> {
  const startedAtMs = performance.now()
  for (let attempts = 1; ; attempts++) {
    try {
      await attempt()
      return
    } catch (error) {
      if (!isLockConflict(error)) throw error
      const seconds = Math.round((performance.now() - startedAtMs) / 1000)
      if (seconds * 1000 >= TOTAL_MS_MAX) throw lockedTooLong(name, error)
      const pauseMs = Math.min(attempts * PAUSE_MS, PAUSE_MS_MAX)
      report(
        `migration ${name} waits for a lock of another session (${seconds} s), next attempt in ${pauseMs / 1000} s`,
      )
      await sleep(pauseMs)
    }
  }
}

function isLockConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK)
}

function lockedTooLong(name: string, cause: unknown): StartupError {
  const minutes = TOTAL_MS_MAX / 60_000
  return new StartupError(
    `The migration ${name} did not get its locks in ${minutes} minutes. End long transactions (see pg_stat_activity), and try again.`,
    { cause },
  )
}

/** The id of the advisory lock of Prisma's `migrate deploy` */
const PRISMA_LOCK = 72707369
const POLL_MS = 200

/**
 * Runs work while no other process migrates the database. Other processes poll: one that waited within a statement
 * would have a snapshot, and an index that is created concurrently waits for all older snapshots.
 */
export async function withMigrationLock<Result>(
  client: ClientBase,
  report: Report,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let polls = 0; !(await tryLock(client)); polls++) {
    if (polls === 0) report('another process is migrating the database, waiting for it')
    await sleep(POLL_MS)
  }
  try {
    return await work()
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${PRISMA_LOCK})`)
  }
}

async function tryLock(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${PRISMA_LOCK}) AS locked`)
  return rows[0]?.locked ?? false
}
