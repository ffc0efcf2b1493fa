import { execute, type Driver } from '../database/sql.ts'

/**
 * How long other processes skip a row that a process delivers. A process renews its leases while it is alive, so the rows of
 * a killed one are due again after this time. A process that cannot renew for so long can deliver twice.
 */
const LEASE_SECONDS = 20

/** The end of a lease that begins now. */
export const LEASE_END = `service_now() + interval '${LEASE_SECONDS} seconds'`

/** An attempt that is running. Its row has no failure, which the end of an attempt writes, and the time of its start. */
type Attempt = Readonly<{ id: bigint; takenAt: Date }>

type RenewLeases = (attempts: readonly Attempt[]) => Promise<void>

/** Locks the rows in the order of their ids, so that two such statements cannot wait for each other. */
const renewal = (table: 'events' | 'mail_outbox'): string => `
  UPDATE ${table} SET next_attempt_at = ${LEASE_END}
  WHERE id = ANY (ARRAY(
    SELECT r.id FROM unnest($1::bigint[], $2::timestamptz[]) AS attempt (id, taken_at)
    JOIN ${table} r ON r.id = attempt.id AND r.last_attempt_at = attempt.taken_at
    WHERE r.next_attempt_at IS NOT NULL AND r.last_failure IS NULL
    ORDER BY r.id FOR UPDATE OF r))`

/** Returns a function that renews the leases of running attempts. Those that have ended or were replaced are left. */
export function leaseRenewal(driver: Driver, table: 'events' | 'mail_outbox'): RenewLeases {
  const text = renewal(table)
  return async (attempts: readonly Attempt[]): Promise<void> => {
    const [ids, times] = [attempts.map(({ id }) => id), attempts.map(({ takenAt }) => takenAt.toISOString())]
    await execute(driver, text, ids, times)
  }
}
