// Connections through a pooler that gives each transaction another session of the server.
import pg from 'pg'
import t, { type Test } from 'tap'
import { explainPooler } from '../../src/database/connection/check.ts'
import { checkSettings } from '../../src/database/connection/settings.ts'
import { openDatabase, type Database } from '../../src/database/index.ts'
import { ownDatabase, serverTarget } from '../support/service/databases.ts'

const skip = process.env['DATABASE_URL'] === undefined && 'needs a real PostgreSQL: set DATABASE_URL'

type Setting = { database: Database; direct: pg.Client; name: string }

async function openSetting(t: Test, ...settings: string[]): Promise<Setting> {
  const { url = '', directUrl = '', drop } = await ownDatabase()
  const direct = new pg.Client({ connectionString: directUrl })
  await direct.connect()
  const name = new URL(directUrl).pathname.slice(1)
  for (const each of settings) await direct.query(`ALTER DATABASE ${name} SET ${each}`)
  const database = await openDatabase({ ...serverTarget(url), pooler: 'transaction', directUrl })
  t.teardown(async () => {
    await database.close()
    await direct.end()
    await drop()
  })
  return { database, direct, name }
}

void t.test('prepares no statements and leaves the settings of sessions as they are', { skip }, async (t) => {
  const { database } = await openSetting(t, `statement_timeout = '7s'`)
  const { prisma, pool } = database
  await prisma.account.findMany({ where: { email: 'nobody@example.org' } })
  await prisma.$transaction([prisma.account.count(), prisma.session.count()])
  await pool.query({ name: 'named', text: 'SELECT 1' })
  const { rows } = await pool.query('SELECT name FROM pg_prepared_statements')
  t.same(rows, [])
  const { rows: settings } = await pool.query(`SELECT current_setting('statement_timeout') AS timeout`)
  t.same(settings, [{ timeout: '7s' }])
})

void t.test('names the settings that the role lacks', { skip }, async (t) => {
  const bare = await openSetting(t, 'statement_timeout = 0', 'jit = on')
  const { rows: roles } = await bare.database.pool.query<{ name: string }>('SELECT current_user AS name')
  const role = roles[0]?.name ?? ''
  t.same(await checkSettings(bare.database.pool), {
    isFatal: false,
    text: `Sessions of the database lack settings of the service. Run: ALTER ROLE ${role} SET statement_timeout = '2s'; ALTER ROLE ${role} SET jit = off.`,
  })
  const complete = await openSetting(t, `statement_timeout = '2s'`, 'jit = off')
  t.equal(await checkSettings(complete.database.pool), undefined)
  const unreadable = await openSetting(t, `DateStyle = 'SQL, DMY'`)
  t.match(await checkSettings(unreadable.database.pool), { isFatal: true, text: /SET DateStyle = 'ISO, YMD'/ })
})

void t.test('migrates in spite of a short timeout of the role', { skip }, async (t) => {
  const { direct, name } = await openSetting(t)
  await direct.query(`ALTER DATABASE ${name} SET statement_timeout = '1ms'`)
  const url = new URL(process.env['DATABASE_DIRECT_URL'] ?? process.env['DATABASE_URL'] ?? '')
  url.pathname = `/${name}`
  const database = await openDatabase({ url: url.href, connectionsMax: 1 })
  await database.close()
  t.pass('the start runs its statements without a timeout')
})

void t.test('explains the error of a pooler that is not configured as one', (t) => {
  const error = new Error('unsupported startup parameter: options')
  t.match(explainPooler(error, 'DATABASE_URL'), /Set DATABASE_POOLER=transaction/)
  t.match(explainPooler(error, 'DATABASE_DIRECT_URL'), /Set it to the server behind the pooler/)
  t.equal(explainPooler(new Error('other'), 'DATABASE_URL'), undefined)
  t.end()
})
