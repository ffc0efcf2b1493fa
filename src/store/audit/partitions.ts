import type pg from 'pg'

/** The bounds of a partition, as PostgreSQL writes them. The first begins at `-infinity`, the last ends at `infinity`. */
export type AuditRange = Readonly<{ from: string; to: string }>

/** The monthly partitions of the audit trail. All changes are without effect while other sessions hold locks. */
export type AuditPartitions = {
  /** Returns partitions that are not dropped by month: the first one, the last one, and those of several months. */
  longRanges(): Promise<AuditRange[]>
  /** Drops the months whose events are all older than `days`, at least 30, and returns their names. Seals stay. */
  drop(days: number): Promise<string[]>
  /** Adds the partition of a month before it is needed. Returns its name, or undefined if it exists. */
  extend(): Promise<string | undefined>
}

const LONG_RANGES = `SELECT from_at::text AS from, to_at::text AS to FROM audit_partitions()
  WHERE from_at = '-infinity' OR to_at = 'infinity' OR to_at > from_at + interval '744 hours' ORDER BY from_at`

/** The functions run as the owner of the tables: the user of the service may have no right to change them. */
export function auditPartitions(pool: pg.Pool): AuditPartitions {
  return {
    async longRanges() {
      return (await pool.query<AuditRange>(LONG_RANGES)).rows
    },
    async drop(days) {
      const { rows } = await pool.query<{ names: string[] }>('SELECT drop_audit_partitions($1) AS names', [days])
      return rows[0]?.names ?? []
    },
    async extend() {
      const { rows } = await pool.query<{ name: string | null }>('SELECT extend_audit_partitions() AS name')
      return rows[0]?.name ?? undefined
    },
  }
}
