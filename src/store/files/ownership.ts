import { column, pick, query, queryOnlyRow, queryRow, table } from '../../database/sql.ts'
import type { StoreParts } from '../changes.ts'

/** What this database knows about the marker of its file store */
export type FileOwnershipRows = {
  /** Returns the identity, and creates it on the first call. A copy of a database has the identity of the original. */
  identity(): Promise<StoreIdentity>
  /**
   * Stores the epoch that is about to be written to the marker. Returns false if another instance did so since
   * `replaced` was read.
   *
   * @param postponeDays postpones all scheduled deletions until at least this many days from now
   */
  beginRenewal(renewal: Renewal, replaced: StoreIdentity, postponeDays: number): Promise<boolean>
  /** Describes the database for operators. Servers and databases can share all of this. */
  describeDatabase(): Promise<DatabaseDescription>
}

export type StoreIdentity = Readonly<{
  databaseId: string
  generation: number
  /** The marker has this epoch if the last renewal failed, and `nextEpoch` otherwise. */
  epoch: string | null
  nextEpoch: string | null
  /** Seconds since the last renewal began */
  renewedSecondsAgo: number | null
}>
export type Renewal = Readonly<{ epoch: string | null; nextEpoch: string; generation: number }>
/** The fingerprint differs between databases, except for physical copies; null if the server does not reveal it. */
export type DatabaseDescription = Readonly<{ name: string; fingerprint: string | null }>

const store = table('FileStore', 's')

const IDENTITY = query<StoreIdentity>(
  {
    ...pick(store, 'databaseId', 'generation', 'epoch', 'nextEpoch'),
    renewedSecondsAgo: column(`extract(epoch FROM service_now() - s.renewed_at)::float8`),
  },
  (list) => `SELECT ${list} FROM file_store s WHERE s.id = 1`,
)

const BEGIN = query<{ count: number }>(
  { count: column('(SELECT count(*)::int FROM begun)') },
  (list) => `
    WITH begun AS (
      UPDATE file_store SET epoch = $1::uuid, next_epoch = $2::uuid, generation = $3, renewed_at = service_now()
      WHERE id = 1 AND next_epoch IS NOT DISTINCT FROM $4::uuid RETURNING id),
    postponed AS (
      UPDATE file_removals SET due_at = greatest(due_at, service_now() + make_interval(days => $5))
      WHERE $5 > 0 AND EXISTS (SELECT FROM begun))
    SELECT ${list}`,
)

const NAME = query<{ name: string }>(
  {
    name: column(`current_database() || coalesce(' at ' || host(inet_server_addr()) || ':' || inet_server_port(), '')`),
  },
  (list) => `SELECT ${list}`,
)

const FINGERPRINT = query<{ fingerprint: string }>(
  { fingerprint: column(`(SELECT system_identifier FROM pg_control_system()) || '/' || d.oid`) },
  (list) => `SELECT ${list} FROM pg_database d WHERE d.datname = current_database()`,
)

export function fileOwnershipRows({ pool, prisma }: StoreParts): FileOwnershipRows {
  return {
    async identity() {
      const found = await queryRow(pool, IDENTITY) // not with Prisma, which every start would have to load
      if (found) return found
      // Several instances may start on a new database at once. An upsert of Prisma would fail in all but one of them.
      await prisma.fileStore.createMany({ data: {}, skipDuplicates: true })
      return queryOnlyRow(pool, IDENTITY)
    },
    async beginRenewal({ epoch, nextEpoch, generation }, replaced, postponeDays) {
      const values = [epoch, nextEpoch, generation, replaced.nextEpoch, postponeDays]
      return (await queryOnlyRow(pool, BEGIN, ...values)).count === 1
    },
    async describeDatabase() {
      const { name } = await queryOnlyRow(pool, NAME)
      const found = await queryOnlyRow(pool, FINGERPRINT).catch(() => undefined) // needs a right on some servers
      return { name, fingerprint: found?.fingerprint ?? null }
    },
  }
}
