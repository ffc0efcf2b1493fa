// The monthly partitions of the audit trail: which ones are added, and which ones retention drops.
import pg from 'pg'
import t, { type Test } from 'tap'
import { systemClock } from '../../src/adapters/clock.ts'
import { hmacSeals, type Seals } from '../../src/adapters/keys/audit-seals.ts'
import { parseKeys } from '../../src/adapters/keys/index.ts'
import { newKeyFile } from '../../src/adapters/keys/new-keys.ts'
import { verifyAudit } from '../../src/cli/admin/verify-audit.ts'
import { openDatabase, type Database } from '../../src/database/index.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { sealAuditTrail } from '../../src/runtime/audit-seals/seal.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { dropAuditPartitions, extendAuditPartitions } from '../../src/store/retention.ts'
import { addPastMonths, auditPartitions, monthName, monthStart, resetMonths } from '../support/service/audit-months.ts'
import { ownDatabase, serverTarget } from '../support/service/databases.ts'
import { embeddedDatabase } from '../support/service/embedded-databases.ts'
import { followClock } from '../support/service/moved-clock.ts'
import { runAsOwner } from '../support/service/service.ts'

const DAY_MS = 86_400_000
const RETENTION_DAYS = 30
const SERVER = process.env['DATABASE_URL']
/** The longest time that a request may wait while partitions change */
const WAIT_MS_MAX = 1500

type Trail = {
  database: Database
  store: Store
  directUrl: string | undefined
  log: string[]
  add(...times: Date[]): Promise<void>
  /** Seals all events, as if they were old enough. */
  seal(): Promise<void>
  verify(): Promise<string>
}

/** Opens a database whose audit trail has the partitions of a new one. */
async function openNew(t: Test): Promise<{ database: Database; directUrl: string | undefined }> {
  const { url, directUrl, drop } = await ownDatabase()
  const database = await (url === undefined ? embeddedDatabase() : openDatabase(serverTarget(url, 4)))
  const reset = async (): Promise<void> => (url === undefined ? resetMonths(database) : undefined)
  await reset() // an earlier service may have added months
  t.teardown(async () => {
    await reset().finally(() => database.close())
    await drop()
  })
  return { database, directUrl }
}

/** The audit trail of a database of its own, with a partition for each of the last six months */
async function openTrail(t: Test): Promise<Trail> {
  const { database, directUrl } = await openNew(t)
  const log: string[] = []
  const logger = jsonLog('info', { write: (line) => void log.push(line) })
  const store = openStore(database, { clock: systemClock, log: logger })
  const seals: Seals = hmacSeals(parseKeys(JSON.stringify(newKeyFile(Date.now())), 'test').auditSeals)
  let shiftMs = 0
  const clock = { ...systemClock, shiftMs: () => shiftMs }
  followClock(database, clock, directUrl)
  await addPastMonths((sql) => runAsOwner(directUrl, database, sql), 6)
  return {
    database,
    store,
    directUrl,
    log,
    async add(...times) {
      for (const at of times) await database.prisma.auditEvent.create({ data: { event: 'login', at } })
    },
    async seal() {
      shiftMs = DAY_MS
      await sealAuditTrail({ store, seals, clock, log: logger })
      shiftMs = 0
    },
    verify: () => verifyAudit({ store, seals, auditDays: RETENTION_DAYS }).catch((error: unknown) => String(error)),
  }
}

/** The middle of a month */
const within = (months: number): Date => new Date(monthStart(months).getTime() + 14 * DAY_MS)
const names = async ({ database }: Trail): Promise<string[]> =>
  (await auditPartitions(database.pool)).map(({ name }) => name)
const count = ({ database }: Trail): Promise<number> => database.prisma.auditEvent.count()

void t.test('drops months whose retention period is over, and retains their seals', async (t) => {
  const trail = await openTrail(t)
  await trail.add(within(-4), within(-4))
  await trail.seal()
  await trail.add(within(-3))
  await trail.seal()
  await trail.add(new Date())
  await trail.seal()
  await trail.store.deleteExpired(RETENTION_DAYS)

  const left = await names(trail)
  t.equal(left[0], 'audit_events_before')
  for (const months of [-6, -5, -4, -3]) t.notOk(left.includes(monthName(months)), `month ${months}`)
  t.ok(left.includes(monthName(0)))
  t.equal(await count(trail), 1)
  t.match(await trail.verify(), /is intact: 3 seals .*\n3 events were deleted by retention\./)
  const line = trail.log.find((each) => each.includes('audit_partitions_dropped')) ?? ''
  t.ok(line.includes(monthName(-4)))

  const dropped = trail.log.length
  await trail.store.deleteExpired(RETENTION_DAYS)
  t.notOk(
    trail.log.slice(dropped).some((each) => each.includes('audit_partitions_dropped')),
    'nothing is left to drop',
  )
  await trail.add(new Date('2000-01-01T00:00:00Z'), within(-5), new Date('2100-01-01T00:00:00Z'))
  t.equal(await count(trail), 4, 'every time has a partition')
})

void t.test('retains a month while one of its seals has newer events, and all later months', async (t) => {
  const trail = await openTrail(t)
  await trail.add(within(-5))
  await trail.seal()
  await trail.add(within(-4), new Date(Date.now() - 10 * DAY_MS))
  await trail.seal()
  await trail.add(within(-3))
  await trail.seal()
  await trail.store.deleteExpired(RETENTION_DAYS)
  const left = await names(trail)
  t.notOk(left.includes(monthName(-5)))
  for (const months of [-4, -3]) t.ok(left.includes(monthName(months)), `month ${months}`)
  t.equal(await count(trail), 3)
  t.match(await trail.verify(), /is intact: 3 seals .*\n1 event was deleted by retention\./)
})

void t.test('retains events without a seal while events are sealed', async (t) => {
  const trail = await openTrail(t)
  await trail.add(new Date(Date.now() - DAY_MS))
  await trail.seal()
  await trail.add(within(-4))
  await trail.store.deleteExpired(RETENTION_DAYS)
  t.equal(await count(trail), 2)
  await trail.seal()
  await trail.store.deleteExpired(RETENTION_DAYS)
  t.equal(await count(trail), 1)
  t.match(await trail.verify(), /is intact/)
})

void t.test('drops events without a seal if none are sealed', async (t) => {
  const trail = await openTrail(t)
  await trail.add(within(-4), new Date())
  await trail.store.deleteExpired(RETENTION_DAYS)
  t.equal(await count(trail), 1)
})

void t.test('never drops a month within 30 days', async (t) => {
  const trail = await openTrail(t)
  await trail.add(new Date(Date.now() - DAY_MS), within(-4))
  t.ok((await dropAuditPartitions(trail.database.pool, 0)).includes(monthName(-4)))
  t.equal(await count(trail), 1)
})

void t.test('adds months a month before they are needed', async (t) => {
  const trail = await openTrail(t)
  await trail.add(new Date())
  while ((await extendAuditPartitions(trail.database.pool)) !== undefined);
  const layout = await auditPartitions(trail.database.pool)
  const [present, next, last] = layout.slice(-3)
  t.match(present?.name, monthName(0))
  t.match(next, { name: monthName(1), to: monthStart(2).toISOString().slice(0, 10) })
  t.match(last, { name: monthName(2), to: 'infinity' })
  for (const [index, { from }] of layout.slice(1).entries()) t.equal(from, layout[index]?.to, 'no gap')
  const { rows } = await trail.database.pool.query('SELECT FROM ONLY ' + monthName(0))
  t.equal(rows.length, 1)

  await t.rejects(trail.database.pool.query(`TRUNCATE ${monthName(2)}`), { code: '42501' })
  const event = `INSERT INTO audit_events (event, at) VALUES ('login', '${within(1).toISOString()}')`
  await trail.database.pool.query(event)
  for (const table of ['audit_events', monthName(1)]) {
    await t.rejects(trail.database.pool.query(`DELETE FROM ${table}`), { code: '42501', message: /append-only/ })
    await t.rejects(trail.database.pool.query(`UPDATE ${table} SET event = 'logout'`), { code: '42501' })
  }
})

void t.test('waits briefly for other sessions, and tries again later', { skip: SERVER === undefined }, async (t) => {
  const trail = await openTrail(t)
  await trail.add(within(-4))
  const reader = new pg.Client({ connectionString: trail.directUrl })
  await reader.connect()
  t.teardown(() => reader.end())
  await reader.query('BEGIN; LOCK TABLE audit_events IN ACCESS SHARE MODE')
  const before = await names(trail)
  const startMs = performance.now()
  const sweeping = trail.store.deleteExpired(RETENTION_DAYS)
  for (let isDone = false; !isDone;) {
    const insertedMs = performance.now()
    await trail.add(new Date())
    t.ok(performance.now() - insertedMs < WAIT_MS_MAX, 'requests do not wait longer')
    isDone = await Promise.race([sweeping.then(() => true), new Promise<false>((r) => setTimeout(r, 1, false))])
    if (performance.now() - startMs > 30_000) break
  }
  await sweeping
  t.same(await names(trail), before)
  await reader.query('COMMIT')
  await trail.store.deleteExpired(RETENTION_DAYS)
  t.notOk((await names(trail)).includes(monthName(-4)))
})
