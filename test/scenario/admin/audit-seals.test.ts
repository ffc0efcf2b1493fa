// The audit trail: which changes are possible, which ones its seals detect, and which ones they ignore.
import pg from 'pg'
import t from 'tap'
import { parseKeys } from '../../../src/adapters/keys/index.ts'
import { hmacSeals, type Seals } from '../../../src/adapters/keys/audit-seals.ts'
import { sealAuditTrail } from '../../../src/runtime/audit-seals/seal.ts'
import { verifyAudit } from '../../../src/cli/admin/verify-audit.ts'
import { newKeyFile } from '../../../src/adapters/keys/new-keys.ts'
import { systemClock } from '../../../src/adapters/clock.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import { openStore } from '../../../src/store/index.ts'
import { adminIn, type Run } from '../../support/processes/admin-command.ts'
import { openInstallation } from '../../support/processes/installation.ts'
import { runAsOwner, type Service } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const SERVER = process.env['DATABASE_URL']
/** By a trigger, or before it because the role of the service has no right to do so */
const TRUNCATED = /is append-only|permission denied/
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS)

function sealsOf({ config }: Service): Seals {
  return hmacSeals(parseKeys('text' in config.keys ? config.keys.text : '', 'test').auditSeals)
}

async function seal({ service }: World): Promise<void> {
  const { app, clock, logger } = service
  await sealAuditTrail({ store: app.context.store, seals: sealsOf(service), clock, log: logger })
}

/** Returns the output of the command, or its error. */
function verify({ service }: World, { auditDays = 365, seals = sealsOf(service) } = {}): Promise<string> {
  return verifyAudit({ store: service.app.context.store, seals, auditDays }).catch(
    (error: unknown) => (error as Error).message,
  )
}

async function record({ service }: World, events: object[]): Promise<bigint[]> {
  const ids: bigint[] = []
  for (const event of events) {
    const data = { event: 'login', subject: 'x***@example.org', address: '192.0.2.1', ...event }
    ids.push((await service.database.prisma.auditEvent.create({ data })).id)
  }
  return ids
}

/** A world whose events so far are sealed */
async function sealedWorld(): Promise<World> {
  const world = await openWorld()
  await record(world, [{}, {}, {}])
  world.wait(11 * MINUTE_MS)
  await seal(world)
  return world
}

/** Runs statements as a user who may disable triggers. */
async function tamper(asOwner: Service['asOwner'], ...statements: string[]): Promise<void> {
  const all = (action: string): string[] =>
    ['audit_events', 'audit_seals'].map((table) => `ALTER TABLE ${table} ${action} TRIGGER USER`)
  await asOwner([...all('DISABLE'), ...statements, ...all('ENABLE')].join(';\n')) // in one transaction
}

void t.test('allows only appending to the audit trail and its seals', async (t) => {
  const world = await sealedWorld()
  const [id = 0n] = await record(world, [{ reason: 'why' }])
  const { pool, prisma } = world.service.database
  const isRefused = async (text: string, purpose = '', message = /is append-only/): Promise<void> => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await client.query(`SELECT set_config('tawthiq.audit', $1, true)`, [purpose])
      await t.rejects(client.query(text), { code: '42501', message }, `${purpose} ${text}`)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }
  for (const change of ["event = 'logout'", "subject = 'y'", 'subject = NULL', 'at = now()', 'account_id = 1'])
    await isRefused(`UPDATE audit_events SET ${change} WHERE id = ${String(id)}`)
  await isRefused('DELETE FROM audit_events')
  for (const purpose of ['', 'erasure', 'retention'])
    for (const table of ['audit_events', 'audit_seals']) await isRefused(`TRUNCATE ${table}`, purpose, TRUNCATED)
  for (const change of [
    "subject = 'y'",
    "subject = NULL, event = 'logout'",
    "reason = ''",
    'request_id = NULL, actor_id = 1',
  ])
    await isRefused(`UPDATE audit_events SET ${change} WHERE id = ${String(id)}`, 'erasure')
  await isRefused(`DELETE FROM audit_events WHERE id = ${String(id)}`, 'erasure')
  await isRefused(`DELETE FROM audit_events WHERE id = ${String(id)}`, 'retention')
  await isRefused(`UPDATE audit_events SET subject = NULL WHERE id = ${String(id)}`, 'retention')
  await isRefused('UPDATE audit_seals SET rows = 0')
  await isRefused('DELETE FROM audit_seals')
  t.match(await prisma.auditEvent.findFirst({ where: { id } }), { event: 'login', reason: 'why' })
})

void t.test('detects every change of sealed events until it is undone', async (t) => {
  const world = await sealedWorld()
  const { database, asOwner } = world.service
  const [first = 0n, second = 0n] = await record(world, [{}, {}, {}])
  await seal(world)
  await record(world, [{}])
  await seal(world)
  const intact = await verify(world)
  t.match(intact, /^The audit trail is intact: \d+ seals match their \d+ events\.\n0 events are not sealed yet\.$/)
  const { number } = await database.prisma.auditSeal.findFirstOrThrow({
    where: { fromId: { lte: first }, toId: { gte: first } },
  })
  const range = new RegExp(`events ${String(first)} to ${String(second + 1n)} \\(seal ${number},`)

  const row = `WHERE id = ${String(second)}`
  const sealRow = `WHERE number = ${number}`
  const cases: [string, string, string, RegExp][] = [
    [
      'a changed event',
      `UPDATE audit_events SET event = 'logout' ${row}`,
      `UPDATE audit_events SET event = 'login' ${row}`,
      /Changed: at least one/,
    ],
    [
      'another time',
      `UPDATE audit_events SET at = at + interval '1 second' ${row}`,
      `UPDATE audit_events SET at = at - interval '1 second' ${row}`,
      /Changed/,
    ],
    [
      'another account',
      `UPDATE audit_events SET account_id = 1 ${row}`,
      `UPDATE audit_events SET account_id = NULL ${row}`,
      /Changed/,
    ],
    [
      'a deleted event',
      `CREATE TABLE taken AS SELECT * FROM audit_events ${row}; DELETE FROM audit_events ${row}`,
      'INSERT INTO audit_events SELECT * FROM taken; DROP TABLE taken',
      /Deleted: 1 of the 3 events/,
    ],
    [
      'an added event',
      `UPDATE audit_events SET id = -id ${row}; INSERT INTO audit_events (id, event) VALUES (${String(second)}, 'login')`,
      `DELETE FROM audit_events ${row}; UPDATE audit_events SET id = -id WHERE id = -${String(second)}`,
      /Changed/,
    ],
    [
      'a seal of fewer events',
      `UPDATE audit_seals SET rows = rows - 1 ${sealRow}`,
      `UPDATE audit_seals SET rows = rows + 1 ${sealRow}`,
      /has an invalid signature/,
    ],
    [
      'another hash',
      `UPDATE audit_seals SET hash = reverse(hash) ${sealRow}`,
      `UPDATE audit_seals SET hash = reverse(hash) ${sealRow}`,
      /has an invalid signature/,
    ],
    [
      'a later seal',
      `UPDATE audit_seals SET last_at = last_at - interval '9 years' ${sealRow}`,
      `UPDATE audit_seals SET last_at = last_at + interval '9 years' ${sealRow}`,
      /has an invalid signature/,
    ],
    [
      'another key',
      `UPDATE audit_seals SET key_id = 'x' || key_id ${sealRow}`,
      `UPDATE audit_seals SET key_id = substr(key_id, 2) ${sealRow}`,
      /which is not in the key file/,
    ],
  ]
  for (const [what, change, undo, complaint] of cases) {
    await tamper(asOwner, ...change.split('; '))
    const said = await verify(world)
    t.match(said, /^The audit trail is not intact\.\n/, what)
    t.match(said, complaint, what)
    t.match(said, range, what)
    t.match(said, `All earlier events are intact (${number - 1} seal`, what)
    await tamper(asOwner, ...undo.split('; '))
    t.equal(await verify(world), intact, `${what}, undone`)
  }

  await tamper(
    asOwner,
    `CREATE TABLE taken AS SELECT * FROM audit_seals ${sealRow}`,
    `DELETE FROM audit_seals ${sealRow}`,
  )
  t.match(await verify(world), `A seal is missing before seal ${number + 1}`)
  await tamper(asOwner, 'INSERT INTO audit_seals SELECT * FROM taken', 'DROP TABLE taken')

  // a gap of the sequence, which a rolled back transaction leaves
  const [before = 0n] = await record(world, [{}])
  await database.pool.query(`SELECT nextval('audit_events_id_seq')`)
  await record(world, [{}])
  await seal(world)
  await tamper(asOwner, `INSERT INTO audit_events (id, event) VALUES (${String(before + 1n)}, 'login')`)
  t.match(await verify(world), /Added: when the events .* were sealed, there were 2/)
  await tamper(asOwner, `DELETE FROM audit_events WHERE id = ${String(before + 1n)}`)

  const others = hmacSeals(parseKeys(JSON.stringify(newKeyFile(Date.now())), 'test').auditSeals)
  t.match(await verify(world, { seals: others }), /is not in the key file/)
  t.match(await verify(world, { seals: hmacSeals([]) }), /rotate-keys audit-seals/)
})

void t.test('verifies seals of retired keys', async (t) => {
  const world = await sealedWorld()
  const [old] = parseKeys('text' in world.service.config.keys ? world.service.config.keys.text : '', 'test').auditSeals
  const [next] = parseKeys(JSON.stringify(newKeyFile(Date.now())), 'test').auditSeals
  if (!old || !next) throw new Error('there are no keys')
  const { store } = world.service.app.context
  await record(world, [{}])
  const { clock, logger: log } = world.service
  await sealAuditTrail({ store, seals: hmacSeals([next, old]), clock, log })
  t.equal((await store.auditSeals.last())?.keyId, next.kid)
  t.match(await verify(world, { seals: hmacSeals([next, old]) }), /is intact/)
  await tamper(world.service.asOwner, `DELETE FROM audit_seals WHERE key_id = '${next.kid}'`)
})

void t.test('seals events after a delay, once across instances', async (t) => {
  const world = await sealedWorld()
  const { store } = world.service.app.context
  world.service.moveClock(0)
  const last = await store.auditSeals.last()
  await record(
    world,
    Array.from({ length: 5 }, () => ({})),
  )
  await seal(world)
  t.equal((await store.auditSeals.last())?.number, last?.number, 'not yet')
  t.match(await verify(world), /5 events are not sealed yet/)
  world.wait(11 * MINUTE_MS)
  const { unsealed_audit_events: unsealed } = (await store.monitoring.status()).backlogs
  t.equal(unsealed.items, 5, 'in the metrics')
  t.ok(unsealed.oldestSeconds >= 660)
  await Promise.all(Array.from({ length: 4 }, () => seal(world)))
  t.same((await store.monitoring.status()).backlogs.unsealed_audit_events, { items: 0, oldestSeconds: 0 })
  t.equal((await store.auditSeals.last())?.number, (last?.number ?? 0) + 1)
  t.match(await verify(world), /is intact/)
  t.match(world.service.log.join(''), /"msg":"audit_sealed"/)
})

void t.test('ignores the erasure of accounts', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  await person.token()
  world.wait(11 * MINUTE_MS)
  await seal(world)
  const { prisma } = world.service.database
  await prisma.account.update({ where: { id: person.id }, data: { deletionDueAt: new Date() } })
  await world.service.app.context.store.deletions.carryOut()
  t.match(await prisma.auditEvent.findFirst({ where: { accountId: person.id } }), { event: 'login', subject: null })
  t.match(await verify(world), /is intact/)
})

void t.test('deletes sealed ranges as a whole and retains the seals', async (t) => {
  const world = await sealedWorld()
  const { prisma } = world.service.database
  const { deleteExpired: sweep } = world.service.app.context.store
  const old = await record(world, [{ at: ago(40) }, { at: ago(39) }, { at: ago(31) }])
  await seal(world)
  const mixed = await record(world, [{ at: ago(32) }, { at: ago(29) }])
  await seal(world)
  await sweep(30)
  t.equal(await prisma.auditEvent.count({ where: { id: { in: old } } }), 0)
  t.equal(await prisma.auditEvent.count({ where: { id: { in: mixed } } }), 2, 'until all of the range is old')
  t.match(await verify(world, { auditDays: 30 }), /is intact.*\n3 events were deleted by retention\./)
  t.match(await verify(world), /Deleted: 3 of the 3 .* newer than AUDIT_RETENTION_DAYS \(365 days\)/s)
})

void t.test('never misses events of running transactions', { skip: SERVER === undefined }, async (t) => {
  const world = await sealedWorld()
  const { database, app } = world.service
  const { rows } = await database.pool.query<{ name: string }>('SELECT current_database() AS name')
  const url = new URL(SERVER ?? '')
  url.pathname = `/${rows[0]?.name ?? ''}`
  const late = new pg.Client({ connectionString: url.toString() })
  await late.connect()
  t.teardown(() => late.end())
  await late.query('BEGIN')
  await late.query(`INSERT INTO audit_events (event) VALUES ('login')`)
  const [after] = await record(world, [{}])
  const before = await app.context.store.auditSeals.last()
  await seal(world)
  t.same(await app.context.store.auditSeals.last(), before, 'nothing is sealed meanwhile')
  await late.query('COMMIT')
  await seal(world)
  t.match(await app.context.store.auditSeals.last(), { toId: after, rows: 2 })
})

void t.test('verifies the audit trail with npm run admin -- verify-audit', async (t) => {
  const { target, directUrl, environment } = await openInstallation(t)
  const file = newKeyFile(Date.now())
  const keys = JSON.stringify(file)
  const run = (text = keys): ReturnType<Run> => adminIn({ ...environment, KEYS: text })('verify-audit')
  const open = async (work: (database: Database) => Promise<unknown>): Promise<void> => {
    const database = await openDatabase(target)
    await work(database).finally(() => database.close())
  }
  const log = jsonLog('silent')
  const at = ago(2)

  await open(async (database) => database.prisma.auditEvent.createMany({ data: [{ event: 'login', at }] }))
  t.match(await run(), { code: 1, said: '', complained: /^There are no seals, but 1 event is not sealed yet\./ })
  await open(async (database) => {
    const store = openStore(database, { clock: systemClock, log })
    await sealAuditTrail({ store, seals: hmacSeals(parseKeys(keys, 'test').auditSeals), clock: systemClock, log })
  })
  const said = 'The audit trail is intact: 1 seal matches its 1 event.\n0 events are not sealed yet.'
  t.same(await run(), { code: 0, said, complained: '' })
  t.match(await run(JSON.stringify({ ...file, audit_seals: [] })), { code: 1, complained: /rotate-keys audit-seals/ })
  await open((database) =>
    tamper((sql) => runAsOwner(directUrl, database, sql), `UPDATE audit_events SET event = 'logout'`),
  )
  t.match(await run(), {
    code: 1,
    said: '',
    complained: /^The audit trail is not intact\.\nChanged: .* events 1 to 1 \(seal 1/,
  })
})
