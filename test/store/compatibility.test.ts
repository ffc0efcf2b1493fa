// A database between two versions: what a version needs, and what it says when it does not find it.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { runFeatureCommand } from '../../src/cli/admin/features.ts'
import { findBreaks } from '../../src/database/compatibility/breaks.ts'
import { checkDatabase } from '../../src/database/compatibility/check.ts'
import { requireKnownFeatures, type Features } from '../../src/database/compatibility/features.ts'
import { readBaseline, readSchema } from '../../src/database/compatibility/schema.ts'
import { earlierSessions, nameConnections } from '../../src/database/compatibility/versions-in-use.ts'
import { openEngine } from '../../src/database/embedded/engine.ts'
import { TEMPLATE } from '../../src/database/embedded/index.ts'
import { WireSocket } from '../../src/database/embedded/thread.ts'
import { readMigrations, MIGRATIONS } from '../../src/database/migrations/files.ts'
import { migrate } from '../../src/database/migrations/index.ts'
import { prepareTables, requireTables } from '../../src/database/migrations/prepare.ts'
import { readiness } from '../../src/database/readiness.ts'
import { isBefore } from '../../src/lib/version.ts'
import { folderWith } from '../support/processes/migrations.ts'
import { temporaryFolder } from '../support/processes/process.ts'
import { emptyOwnDatabase } from '../support/service/databases.ts'

const baseline = readBaseline()
/** The last migration of a version before the first release */
const BEFORE_RELEASE = '20261121190238_audit_actor'
const FEATURES: Features = { 'later-feature': { since: '0.3.0', about: 'Does more.' } }
const ENABLE = `INSERT INTO enabled_features (name, least_version) VALUES ('later-feature', '0.3.0')`
const LATER_MIGRATION = `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at)
  VALUES (gen_random_uuid(), 'x', '29991231000000_contract', now())`

/** Opens an empty database with one connection. */
async function emptyPool(): Promise<{ pool: pg.Pool; url: string | undefined }> {
  const { directUrl: url, drop } = await emptyOwnDatabase()
  const folder = join(temporaryFolder(), 'database')
  if (url === undefined) cpSync(TEMPLATE, folder, { recursive: true })
  const engine = url === undefined ? await openEngine(folder) : undefined
  const pool = new pg.Pool({
    ...(engine ? { user: 'postgres', stream: () => new WireSocket(engine) } : { connectionString: url }),
    max: 1,
    application_name: nameConnections(undefined),
  })
  if (engine) await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  t.teardown(async () => {
    await pool.end()
    await engine?.close()
    await drop()
  })
  return { pool, url }
}

async function on<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  return work(client).finally(() => client.release())
}

async function migrateTo(pool: pg.Pool, last: string): Promise<void> {
  const wanted = readMigrations(MIGRATIONS).filter(({ name }) => name <= last)
  await on(pool, (client) =>
    migrate(client, folderWith(Object.fromEntries(wanted.map(({ name, sql }) => [name, sql])))),
  )
}

/** The tests run one after the other, on the same database. */
const { pool, url } = await emptyPool()

void t.test('a database between two versions', async (t) => {
  const verdicts = (): Promise<{ text: string; isPossible: boolean }> =>
    on(pool, async (client) => {
      const found = await checkDatabase(client, baseline)
      return { text: found.map(({ text }) => text).join('\n'), isPossible: found.every((each) => each.isPossible) }
    })

  t.same(await verdicts(), { text: 'Database: empty.', isPossible: true })

  await migrateTo(pool, BEFORE_RELEASE)
  t.match(await verdicts(), { text: /Rolling upgrade: not possible.* Stop the instances first/, isPossible: false })

  await migrateTo(pool, baseline.migrations.at(-1) ?? '')
  t.match(await verdicts(), {
    text: /^Rolling upgrade from 0\.2\.0: possible.*\nRollback to 0\.2\.0: possible/,
    isPossible: true,
  })
  await t.rejects(on(pool, requireTables), /lacks \d+ migrations/)

  await on(pool, (client) => prepareTables(client))
  t.match(await verdicts(), { text: /Rollback to 0\.2\.0: possible/, isPossible: true })

  let queries = 0
  pool.on('acquire', () => queries++)
  const isReady = readiness(pool, MIGRATIONS)
  await isReady()
  t.equal(queries, 2, 'the first check reads the columns')
  await isReady()
  t.equal(queries, 3, 'later checks are one query')

  await pool.query(ENABLE)
  await t.rejects(isReady(), { cause: new Error('This version cannot honour the enabled feature later-feature.') })
  await readiness(pool, MIGRATIONS, FEATURES)()
  await t.rejects(on(pool, requireTables), /needs version 0\.3\.0 or later: the feature later-feature is enabled/)
  await t.rejects(
    on(pool, (client) => prepareTables(client)),
    /needs version 0\.3\.0 or later/,
  )
  await requireKnownFeatures(pool, FEATURES)
  t.match(await verdicts(), {
    text: /^Rollback to 0\.2\.0: not possible.*\n {2}the feature later-feature is enabled/,
    isPossible: false,
  })
  await pool.query(`UPDATE enabled_features SET least_version = '99.0.0'`)
  await t.rejects(requireKnownFeatures(pool, FEATURES), /needs version 99\.0\.0 or later/)
  await pool.query('DELETE FROM enabled_features')
  await isReady()

  await pool.query('ALTER TABLE profiles RENAME COLUMN name TO full_name')
  await pool.query(LATER_MIGRATION)
  const lacking = /lacks the column profiles\.name, which this version needs: a later version has removed it/
  await t.rejects(isReady(), { code: 'database_unavailable', cause: { message: lacking } })
  await t.rejects(on(pool, requireTables), lacking)
  await t.rejects(
    on(pool, (client) => prepareTables(client)),
    lacking,
  )
  t.match(await verdicts(), { text: /^Rollback to 0\.2\.0: not possible.*\n {2}profiles: the column name is missing/ })
  await pool.query('ALTER TABLE profiles RENAME COLUMN full_name TO name')
  await isReady()
  await on(pool, requireTables)

  await pool.query('BEGIN; DROP TABLE enabled_features')
  await t.rejects(isReady(), { cause: new Error('The database lacks migrations.') })
  await pool.query('ROLLBACK')
})

void t.test('finds each change that an earlier version cannot work with', async (t) => {
  const breaksOf = async (change: string): Promise<string[]> =>
    on(pool, async (client) => {
      await client.query('BEGIN')
      await client.query(change)
      const breaks = findBreaks(baseline.schema, await readSchema(client))
      await client.query('ROLLBACK')
      return breaks
    })
  const changes: Record<string, string> = {
    'DROP TABLE imports': 'imports: the table is missing',
    'ALTER TABLE imports RENAME TO former_imports': 'imports: the table is missing',
    'ALTER TABLE profiles DROP COLUMN longitude': 'profiles: the column longitude is missing',
    'ALTER TABLE sessions ALTER COLUMN address TYPE varchar(5)': 'sessions: the column address was',
    'ALTER TABLE profiles ALTER COLUMN longitude SET NOT NULL': 'profiles: the column longitude has become required',
    'ALTER TABLE sessions ALTER COLUMN created_at DROP DEFAULT':
      'sessions: the column created_at has no default any more',
    'ALTER TABLE profiles ADD COLUMN extra int NOT NULL':
      'profiles: the new column extra is required and has no default',
    'CREATE UNIQUE INDEX x ON profiles (name)': 'profiles: name has become unique',
    'DROP INDEX accounts_email_key': 'accounts: email is no longer unique',
    'ALTER TABLE profiles ADD CONSTRAINT short CHECK (length(name) < 9) NOT VALID':
      'profiles: the constraint short is new',
    "ALTER TYPE \"ReviewStatus\" RENAME VALUE 'pending' TO 'waiting'": 'ReviewStatus: the value pending is missing',
  }
  for (const [change, expected] of Object.entries(changes)) {
    const breaks = await breaksOf(change)
    t.equal(breaks.length, 1, change)
    t.ok(breaks[0]?.startsWith(expected), `${change}: ${breaks[0]}`)
  }
  const compatible = [
    'SELECT 1',
    'ALTER TABLE profiles ADD COLUMN extra int',
    'ALTER TABLE profiles ADD COLUMN extra int NOT NULL DEFAULT 1',
    'ALTER TABLE sessions ALTER COLUMN address TYPE varchar(100)',
    'CREATE TABLE extra (id int PRIMARY KEY)',
    'ALTER TABLE profiles ADD COLUMN extra int UNIQUE',
  ]
  for (const change of compatible) t.same(await breaksOf(change), [], change)
})

void t.test('compares versions by their numbers', (t) => {
  for (const [version, other] of [
    ['0.2.0', '0.3.0'],
    ['0.9.0', '0.10.0'],
    ['0.9.9', '1.0.0'],
    ['1.0.0', '1.0.1-dev'],
  ] as const) {
    t.ok(isBefore(version, other), `${version} before ${other}`)
    t.notOk(isBefore(other, version), `${other} not before ${version}`)
  }
  t.notOk(isBefore('0.3.0-dev', '0.3.0'))
  t.end()
})

void t.test('names connections by their version', (t) => {
  t.match(nameConnections(undefined), /^tawthiq\/\d+\.\d+\.\d+\S*$/)
  t.match(nameConnections('accounts'), /^accounts tawthiq\/\d+\.\d+\.\d+\S*$/)
  const long = nameConnections('é'.repeat(60))
  t.ok(Buffer.byteLength(long) <= 63)
  t.match(long, / tawthiq\/\d+\.\d+\.\d+\S*$/)
  t.end()
})

void t.test('enables a feature when no earlier version is connected', async (t) => {
  let seconds = 0
  let onSecond = async (_second: number): Promise<void> => undefined
  const means = { features: FEATURES, pause: () => onSecond(++seconds) }
  const enable = { name: 'enable-feature', feature: 'later-feature', isConfirmed: false } as const
  const direct = { databaseUrl: url, databasePooler: undefined }
  const run = (command = enable, installation: Parameters<typeof runFeatureCommand>[2] = direct): Promise<string> =>
    runFeatureCommand(command, { pool }, installation, means)
  const list = (): Promise<string> => runFeatureCommand({ name: 'features' }, { pool }, direct, means)

  t.match(await list(), 'later-feature  not enabled, ends a rollback to versions before 0.3.0. Does more.')
  await t.rejects(run({ ...enable, feature: 'other' } as never), /has no feature other. It has: later-feature\./)
  await t.rejects(run(enable, { ...direct, databasePooler: 'transaction' }), /A pooler can hide .* add --yes/)
  if (url !== undefined) {
    for (const name of ['tawthiq', 'app tawthiq/0.2.9', 'pg_dump']) {
      const other = new pg.Client({ connectionString: url, application_name: name })
      await other.connect()
      await t.rejects(run(), new RegExp(`Instances before 0\\.3\\.0 may be running.*${name} \\(`), name)
      await other.end()
    }
    const late = new pg.Client({ connectionString: url, application_name: 'tawthiq' })
    onSecond = async (second) => {
      if (second === 59) await late.connect()
    }
    seconds = 0
    await t.rejects(run(), /Instances before 0\.3\.0 may be running/, 'one that connects after 59 s')
    await late.end()
    onSecond = async () => undefined
    const newer = new pg.Client({ connectionString: url, application_name: 'app tawthiq/0.3.0' })
    await newer.connect()
    t.same(await on(pool, (client) => earlierSessions(client, '0.3.0')).then((all) => all.map(({ name }) => name)), [])
    await newer.end()
  }
  t.match(await list(), 'not enabled', 'a rejected command changes nothing')
  seconds = 0
  t.match(await run(), 'The feature later-feature is enabled. Versions before 0.3.0 do not start any more.')
  t.equal(seconds, url === undefined ? 0 : 60)
  t.match(await list(), /enabled on \d{4}-/)
  t.match(await run(), 'already enabled')
})
