import type pg from 'pg'
import type { Database } from '../../../src/database/index.ts'

/** The first moment of a month, in UTC. `months` is 0 for the present one. */
export function monthStart(months: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months))
}

/** Gives each of the last months a partition of the audit trail, as in a database that is older than that. */
export async function addPastMonths(asOwner: (sql: string) => Promise<unknown>, count: number): Promise<void> {
  await asOwner(`
    SET timezone = 'UTC';
    DO $$
    DECLARE
      month timestamptz := date_trunc('month', now()) - interval '${count} months';
      bound timestamptz := (SELECT to_at FROM audit_partitions() WHERE from_at = '-infinity');
    BEGIN
      ALTER TABLE audit_events DETACH PARTITION audit_events_before;
      EXECUTE format('ALTER TABLE audit_events ATTACH PARTITION audit_events_before FOR VALUES FROM (MINVALUE) TO (%L)', month);
      WHILE month < bound LOOP
        PERFORM add_audit_partition(to_char(month, '"audit_events_y"YYYY"m"MM'), month, month + interval '1 month');
        month := month + interval '1 month';
      END LOOP;
    END $$`)
}

/** Gives the audit trail the partitions of a new database. Its events are deleted. */
export async function resetMonths({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query(`
    DO $$
    DECLARE
      bound timestamptz := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
      each regclass;
    BEGIN
      FOR each IN SELECT partition FROM audit_partitions() LOOP EXECUTE format('DROP TABLE %s', each); END LOOP;
      PERFORM add_audit_partition('audit_events_before', '-infinity', bound);
      PERFORM add_audit_partition(to_char(bound AT TIME ZONE 'UTC', '"audit_events_y"YYYY"m"MM'), bound, 'infinity');
    END $$`)
}

export type Partition = { name: string; from: string; to: string }

/** Returns the partitions of the audit trail in their order. */
export async function auditPartitions(pool: Pick<pg.Pool, 'query'>): Promise<Partition[]> {
  const { rows } = await pool.query<Partition>(
    `SELECT partition::text AS name, from_at::text AS from, to_at::text AS to FROM audit_partitions() ORDER BY from_at`,
  )
  return rows
}

export function monthName(months: number): string {
  const [year = '', month = ''] = monthStart(months).toISOString().split('-')
  return `audit_events_y${year}m${month}`
}
