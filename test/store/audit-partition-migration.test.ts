// The migration that turns the audit trail of an existing database into partitions.
import { readMigrations } from '../../src/database/migrations/files.ts'
import { migrate } from '../../src/database/migrations/index.ts'
import { openDatabase } from '../../src/database/index.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { hmacSeals } from '../../src/adapters/keys/audit-seals.ts'
import { parseKeys } from '../../src/adapters/keys/index.ts'
import { newKeyFile } from '../../src/adapters/keys/new-keys.ts'
import { verifyAudit } from '../../src/cli/admin/verify-audit.ts'
import { NO_HASH } from '../../src/runtime/audit-seals/seal.ts'
import { openStore } from '../../src/store/index.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { auditPartitions } from '../support/service/audit-months.ts'
import { folderWith } from '../support/processes/migrations.ts'
import { emptyOwnDatabase, serverTarget } from '../support/service/databases.ts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t from 'tap'

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url)
const FIRST = '20261123050000_audit_partition_bound'
const SERVER = process.env['DATABASE_URL']
const skip = SERVER === undefined && 'needs a real PostgreSQL'
const EVENTS = 5
/** The insert of a version before the migration, which has prepared it */
const INSERT = {
  name: 'insert',
  text: `INSERT INTO audit_events (event, account_id) VALUES ('login', $1)`,
  values: [7],
}

function migrationsBefore(): URL {
  const earlier = readMigrations(MIGRATIONS).filter(({ name }) => name < FIRST)
  return folderWith(Object.fromEntries(earlier.map(({ name, sql }) => [name, sql])))
}

void t.test('keeps events, seals and rights while an earlier version adds events', { skip }, async (t) => {
  const { url = '', directUrl, drop } = await emptyOwnDatabase()
  const role = `reader_${randomUUID().slice(0, 8)}`
  const clients: pg.Client[] = []
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: directUrl })
    clients.push(client)
    await client.connect()
    return client
  }
  const [owner, service] = [await connect(), await connect()]
  t.teardown(async () => {
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await Promise.all(clients.map((client) => client.end()))
    await drop()
  })
  await migrate(owner, migrationsBefore())
  await owner.query(`CREATE ROLE ${role}; GRANT SELECT, DELETE ON audit_events TO ${role}`)
  await owner.query(`INSERT INTO audit_events (event, at) SELECT 'login', now() - interval '20 days' * i
    FROM generate_series(1, ${EVENTS}) AS i`)

  const keys = parseKeys(JSON.stringify(newKeyFile(Date.now())), 'test').auditSeals
  const seals = hmacSeals(keys)
  const { rows } = await owner.query<{ id: string; at: Date }>('SELECT id, at FROM audit_events ORDER BY id')
  const events = rows.map(({ id, at }) => {
    return { id: BigInt(id), at, event: 'login', accountId: null, actorId: null, requestId: null }
  })
  const seal = seals.sign?.({
    number: 1,
    fromId: 1n,
    toId: BigInt(EVENTS),
    rows: EVENTS,
    lastAt: rows[0]?.at ?? new Date(),
    hash: seals.hash(NO_HASH, events),
    sealedAt: new Date(),
  })
  await owner.query(
    `INSERT INTO audit_seals (number, from_id, to_id, rows, last_at, hash, signature, key_id, sealed_at)
     VALUES (1, 1, ${EVENTS}, ${EVENTS}, $1, $2, $3, $4, $5)`,
    [seal?.lastAt, seal?.hash, seal?.signature, seal?.keyId, seal?.sealedAt],
  )

  let added = 0
  let isMigrated = false
  const migrating = migrate(owner, MIGRATIONS).finally(() => (isMigrated = true))
  const isDone = (): boolean => isMigrated
  while (!isDone()) {
    await service.query(INSERT)
    added++
  }
  t.ok((await migrating).includes(FIRST))
  for (let times = 0; times < 3; times++, added++) await service.query(INSERT)

  t.match(await auditPartitions(owner), [{ name: 'audit_events_before' }, { to: 'infinity' }])
  const { rows: counts } = await owner.query<{ rows: number; first: number }>(
    `SELECT count(*)::int AS rows, (SELECT count(*)::int FROM audit_events_before) AS first FROM audit_events`,
  )
  t.same(counts, [{ rows: EVENTS + added, first: EVENTS + added }], 'the table has become the first partition')
  const { rows: twice } = await owner.query(
    `SELECT indkey, pg_get_expr(indexprs, indrelid) FROM pg_index WHERE indrelid = 'audit_events_before'::regclass
     GROUP BY 1, 2 HAVING count(*) > 1`,
  )
  t.same(twice, [], 'the table has the indexes that were built for its first partition, and no second ones')
  const { rows: rights } = await owner.query(
    `SELECT has_table_privilege($1, 'audit_events', 'SELECT') AS reads, has_table_privilege($1, 'audit_events', 'DELETE') AS deletes,
       has_table_privilege($1, 'audit_events', 'INSERT') AS inserts`,
    [role],
  )
  t.same(rights, [{ reads: true, deletes: true, inserts: false }])

  const database = await openDatabase(serverTarget(url, 2))
  t.teardown(() => database.close())
  const store = openStore(database, { clock: systemClock, log: jsonLog('silent') })
  t.match(await verifyAudit({ store, seals, auditDays: 365 }), `is intact: 1 seal matches its ${EVENTS} events`)
  await store.deleteExpired(30)
  t.equal(await database.prisma.auditEvent.count(), EVENTS + added, 'the newest event of the seal is not old enough')
  await owner.query(
    `SET session_replication_role = replica; UPDATE audit_seals SET last_at = now() - interval '40 days'`,
  )
  await store.deleteExpired(30)
  t.equal(await database.prisma.auditEvent.count(), added + 1, 'expired events of the first partition are deleted')
})
