// The two roles of docs/operate.md: the owner of the tables migrates, and the service only reads and writes.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t from 'tap'
import { doctorIn, migrateIn } from '../../support/processes/commands.ts'
import { startHere, startHereExpectingFailure } from '../../support/processes/here.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { createRoles, onDatabase, PASSWORD, runStatements } from '../../support/service/roles.ts'

/** Not a pooler, which would need the passwords of the roles */
const SERVER = process.env['DATABASE_DIRECT_URL'] ?? process.env['DATABASE_URL']
const skip = SERVER === undefined && 'needs a real PostgreSQL'
/** A month of the audit trail whose retention period is over */
const MONTHS = `ALTER TABLE audit_events DETACH PARTITION audit_events_before;
DROP TABLE audit_events_before;
SELECT add_audit_partition('audit_events_before', '-infinity', '2000-01-01 00:00:00+00');
SELECT add_audit_partition('audit_events_y2000m01', '2000-01-01 00:00:00+00', '2000-02-01 00:00:00+00');
SELECT add_audit_partition('audit_events_y2000m02', '2000-02-01 00:00:00+00', (SELECT from_at FROM audit_partitions() WHERE to_at = 'infinity'))`

void t.test('the service runs as a user who cannot change tables', { skip }, async (t) => {
  const name = `tawthiq_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const stranger = `${name}_stranger`
  const roles = await createRoles(SERVER ?? '', name)
  t.teardown(async () => {
    await roles.drop()
    await runStatements(SERVER ?? '', [`DROP ROLE ${stranger}`])
  })
  await runStatements(onDatabase(SERVER ?? '', name), [
    `CREATE ROLE ${stranger} LOGIN PASSWORD '${PASSWORD}'`,
    `GRANT USAGE ON SCHEMA public TO ${stranger}`,
  ])
  const owner = onDatabase(SERVER ?? '', name, roles.owner)
  const app = onDatabase(SERVER ?? '', name, roles.app)
  const environment = { DATA_DIR: temporaryFolder(), DATABASE_URL: app, MIGRATE_AT_START: 'no' }

  t.match(
    await startHereExpectingFailure(environment),
    /^The database lacks \d+ migrations, the first of which is 20261121022203_accounts, .*Run node dist\/service\/main\.js migrate first\.$/,
  )
  t.match(
    await startHereExpectingFailure({ ...environment, MIGRATE_AT_START: 'yes' }),
    /permission denied for schema public\. The user of DATABASE_URL lacks this right: run migrate as the owner/,
  )
  const migrate = migrateIn({ DATABASE_URL: owner, DATA_DIR: environment.DATA_DIR })
  t.match(await migrate('--status'), {
    code: 3,
    said: /^0 migrations applied, \d+ missing:\n {2}20261121022203_accounts/,
  })
  t.match((await migrate('--dry-run')).said, /BEGIN;\n[^]*CREATE TYPE "AccountType"[^]*CREATE INDEX CONCURRENTLY/)
  t.match(await migrate(), { code: 0, said: /applied in .*\nThe database is up to date: \d+ migrations applied\.$/ })
  t.match(await migrate('--status'), { code: 0, said: /, 0 missing\.\nLookup rows: up to date\.$/ })

  const { origin } = await startHere(environment)
  const body = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${origin}/api/v1/auth/login`, { method: 'POST', headers, body })
  const { data } = (await response.json()) as { data: { account: { token: string } } }
  const authorization = `Bearer ${data.account.token}`
  t.equal((await fetch(`${origin}/api/v1/profile`, { headers: { authorization } })).status, 200)
  t.equal((await fetch(`${origin}/health/ready`)).status, 200)

  await runStatements(owner, [
    `REVOKE SELECT ON passkeys FROM ${roles.app}`,
    `REVOKE EXECUTE ON FUNCTION service_now() FROM PUBLIC, ${roles.app}`,
  ])
  t.match((await doctorIn(environment)()).said, /^FAILED +rights +\S+ cannot use passkeys, service_now\(\)$/m)
  await runStatements(owner, [
    `GRANT SELECT ON passkeys TO ${roles.app}`,
    `GRANT EXECUTE ON FUNCTION service_now() TO ${roles.app}`,
  ])

  // The partitions of the audit trail are changed by functions that run as the owner.
  await runStatements(owner, [MONTHS])
  const service = new pg.Client({ connectionString: app })
  await service.connect()
  await t.rejects(service.query('DROP TABLE audit_events_y2000m01'), { code: '42501' })
  await t.rejects(service.query('CREATE TABLE months (id int)'), { code: '42501' })
  const { rows } = await service.query<{ dropped: string[]; added: string | null }>(
    'SELECT drop_audit_partitions(30) AS dropped, extend_audit_partitions() AS added',
  )
  t.match(rows, [{ dropped: ['audit_events_before', 'audit_events_y2000m01'], added: /^audit_events_y\d{4}m\d\d$/ }])
  await service.query(`INSERT INTO audit_events (event) VALUES ('login')`)
  await service.end()
  const other = new pg.Client({ connectionString: onDatabase(SERVER ?? '', name, stranger) })
  await other.connect()
  for (const call of ['drop_audit_partitions(30)', 'extend_audit_partitions()'])
    await t.rejects(other.query(`SELECT ${call}`), { code: '42501', message: /may not delete from audit_events/ })
  await other.end()

  await startHere({ ...environment, MIGRATE_AT_START: 'yes' }) // nothing is missing
  await runStatements(onDatabase(SERVER ?? '', name), [
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9_later', now())`,
  ])
  await startHere(environment) // a later version has migrated the database
  t.match((await migrate('--status')).said, /1 of a later version, which this version accepts:\n {2}9_later/)
})
