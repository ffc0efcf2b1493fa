// What the probes say, and the state of every dependency.
import t from 'tap'
import { systemClock } from '../../../src/adapters/clock.ts'
import { listDependencies } from '../../../src/runtime/dependencies.ts'
import { healthCheck } from '../../../src/runtime/health.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, PASSWORD } from '../../support/service/world.ts'

const SERVER = process.env['DATABASE_URL']

/** Each write fails as on a full disk (SQLSTATE 53100, disk_full). */
const FULL_DISK = `
  CREATE FUNCTION fail_on_full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
  END $$;
  DO $$
  DECLARE
    name regclass;
  BEGIN
    FOR name IN SELECT oid FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    LOOP
      EXECUTE format('CREATE TRIGGER "0_full_disk" BEFORE INSERT OR UPDATE OR DELETE ON %s
        FOR EACH STATEMENT EXECUTE FUNCTION fail_on_full_disk()', name);
    END LOOP;
  END $$`
const FREE_DISK = 'DROP FUNCTION fail_on_full_disk CASCADE'

async function statusOf(origin: string, path: string): Promise<{ status: number; code: string | null; data: unknown }> {
  const response = await fetch(origin + path)
  const { data } = (await response.json()) as { data: unknown }
  return { status: response.status, code: response.headers.get('error-code'), data }
}

void t.test('reports only the status to the public', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  for (const name of ['live', 'started', 'ready'])
    t.same(await statusOf(service.origin, `/health/${name}`), { status: 200, code: null, data: null }, name)
})

void t.test('is not ready while migrations are missing', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { pool } = service.database
  const rename = (from: string, to: string): Promise<unknown> =>
    pool.query('UPDATE _prisma_migrations SET migration_name = $2 WHERE migration_name = $1', [from, to])
  await rename('20261122172500_account_indexes', 'renamed')
  t.match(await statusOf(service.origin, '/health/ready'), { status: 503, code: 'database_unavailable', data: null })
  t.match(await statusOf(service.origin, '/health/started'), { status: 200 })
  await rename('renamed', '20261122172500_account_indexes')
  t.match(await statusOf(service.origin, '/health/ready'), { status: 200 })
})

void t.test(
  'is not ready on a read-only database',
  { skip: SERVER === undefined && 'needs a real PostgreSQL' },
  async (t) => {
    const service = await openService()
    t.teardown(() => service.close())
    await service.asOwner(`
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
      END $$`)
    const { pool } = service.database
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`)
    await pool.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
    t.match(await statusOf(service.origin, '/health/ready'), { status: 503, code: 'database_unavailable' })
    t.match(await service.app.checkHealth(), [{ status: 'failed', reason: 'The database is read-only.' }])
    t.match(await statusOf(service.origin, '/health/live'), { status: 200 })
  },
)

void t.test('stays ready while the disk of the database is full, and rejects only writes', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const person = await world.person()
  const token = await person.token()
  await service.asOwner(FULL_DISK)
  const json = { email: person.email, password: PASSWORD }
  const writes = {
    login: await world.send('login')({ json }),
    checkPhone: await world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } }),
    patchProfile: await world.send('patchProfile')({ token, json: { name: 'منى الشهري' } }),
    logout: await world.send('logout')({ token }),
  }
  for (const [name, { status, headers }] of Object.entries(writes))
    t.match({ status, code: headers['error-code'] }, { status: 503, code: 'database_unavailable' }, name)
  t.equal((await world.send('checkToken')({ token })).status, 200)
  t.equal((await world.send('getProfile')({ token })).status, 200)
  t.match(await statusOf(service.origin, '/health/ready'), { status: 200 })
  await service.asOwner(FREE_DISK)
  t.equal((await world.send('login')({ json })).status, 200)
})

void t.test('describes each dependency to operators', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { context } = service.app
  const { store, limits } = context
  const unreachable = 'http://127.0.0.1:1/'
  const config = {
    ...service.config,
    redisUrl: undefined,
    sms: {
      ...service.config.sms,
      providers: [{ kind: 'webhook', name: 'webhook', url: unreachable, token: undefined, timeoutMs: 4000 }] as const,
    },
    mail: { ...service.config.mail, url: undefined },
    events: { url: service.origin, secrets: [] },
  }
  const { fileStore } = service.app
  const check = healthCheck(listDependencies(config, { store, limits, fileStore }), systemClock)
  const [database, files, deletion, sms, events, ...others] = await check()
  t.match(database, { name: 'database', status: 'ok', reason: undefined })
  t.match(files, { name: 'files', status: 'ok' })
  t.match(deletion, { name: 'file_deletion', status: 'ok' })
  t.match(sms, { name: 'sms_webhook', status: 'degraded', reason: 'ECONNREFUSED' })
  t.match(events, { name: 'events', status: 'ok' })
  t.same(others, [])
  t.ok((await service.app.checkHealth()).every(({ status }) => status === 'ok'))
})

void t.test('remembers since when a dependency has its status, and bounds each check', async (t) => {
  let [nowMs, isWorking] = [1000, true]
  const clock = { nowMs: () => nowMs, shiftMs: () => 0 }
  const check = healthCheck(
    [
      {
        name: 'a',
        isRequired: true,
        check: () => (isWorking ? Promise.resolve() : Promise.reject(new Error('broken'))),
      },
      { name: 'b', isRequired: false, check: () => new Promise(() => undefined) },
    ],
    clock,
  )
  t.match(await check(), [
    { status: 'ok', since: new Date(1000) },
    { status: 'degraded', reason: 'no response within 1800 ms' },
  ])
  isWorking = false
  nowMs = 1500
  t.match(await check(), [{ status: 'ok' }, {}], 'results are shared for 2 s')
  nowMs = 5000
  t.match(await check(), [{ status: 'failed', since: new Date(5000), reason: 'broken' }, { since: new Date(1000) }])
})
