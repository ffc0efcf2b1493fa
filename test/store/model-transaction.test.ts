// Transactions of Prisma that share their connection with SQL.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import t from 'tap'
import { toFailure } from '../../src/database/outages.ts'
import { inModelTransaction } from '../../src/database/transaction.ts'
import { skipWithoutServer as skip } from '../support/service/database-proxy.ts'
import { openService } from '../support/service/service.ts'

const service = await openService()
t.teardown(() => service.close())
const { pool, prisma } = service.database
const COUNT = { text: 'SELECT count(*)::int AS count FROM used_challenges' }
const PROCESS = { text: 'SELECT pg_backend_pid() AS pid' }

let challenges = 0
const newChallenge = (): { challengeHash: Uint8Array<ArrayBuffer>; expiresAt: Date } => ({
  challengeHash: new Uint8Array([++challenges]),
  expiresAt: new Date(Date.now() + 60_000),
})
const insertOf = (challenge: ReturnType<typeof newChallenge>): { text: string; values: unknown[] } => ({
  text: 'INSERT INTO used_challenges (challenge_hash, expires_at) VALUES ($1, $2)',
  values: Object.values(challenge),
})
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => toFailure(error),
  )

t.beforeEach(async () => {
  await prisma.usedChallenge.deleteMany()
})

void t.test('runs the statements of models and SQL on one connection, and commits both', async (t) => {
  await inModelTransaction(prisma, async ({ tx, driver }) => {
    await tx.usedChallenge.create({ data: newChallenge() })
    await driver.query(insertOf(newChallenge()))
    t.same((await driver.query(COUNT)).rows, [{ count: 2 }])
    t.equal(await tx.usedChallenge.count(), 2)
    t.same((await driver.query(PROCESS)).rows, await tx.$queryRawUnsafe(PROCESS.text))
  })
  t.equal(await prisma.usedChallenge.count(), 2)
})

void t.test('rolls both back after an error, and rejects later statements', async (t) => {
  const fault = new Error('planted')
  const later: (() => Promise<unknown>)[] = []
  const failed = inModelTransaction(prisma, async ({ tx, driver }) => {
    await tx.usedChallenge.create({ data: newChallenge() })
    await driver.query(insertOf(newChallenge()))
    later.push(
      () => driver.query(insertOf(newChallenge())),
      async () => tx.usedChallenge.create({ data: newChallenge() }),
    )
    throw fault
  })
  await t.rejects(failed, fault)
  for (const send of later) await t.rejects(send(), { code: 'P2028' })
  t.equal(await prisma.usedChallenge.count(), 0)
})

void t.test('rejects statements after the commit', async (t) => {
  const { driver } = await inModelTransaction(prisma, async (transaction) => transaction)
  await t.rejects(driver.query(insertOf(newChallenge())), { code: 'P2028' })
  t.equal(await prisma.usedChallenge.count(), 0)
})

void t.test('rejects each statement after a timeout, so that no part of the change is stored', async (t) => {
  const timeout = 150
  for (const later of ['SQL', 'a model'] as const) {
    const failed = inModelTransaction(
      prisma,
      async ({ tx, driver }) => {
        await tx.usedChallenge.create({ data: newChallenge() })
        await sleep(timeout + 100)
        if (later === 'SQL') await driver.query(insertOf(newChallenge()))
        else await tx.usedChallenge.create({ data: newChallenge() })
      },
      { maxWait: 10_000, timeout },
    )
    t.match(await failureOf(failed), { code: 'database_unavailable' }, later)
    t.equal(await prisma.usedChallenge.count(), 0, later)
  }
})

/** Calls a function just after the next connection has sent a statement that ends its transaction. */
function afterSending(end: 'COMMIT' | 'ROLLBACK', call: () => void): void {
  pool.once('acquire', (client: pg.PoolClient) => {
    const { query } = client
    const send = query.bind(client) as (...given: unknown[]) => unknown
    const sendAndCall = (...given: unknown[]): unknown => {
      const sent = send(...given)
      if ((given[0] as { text?: string }).text !== end) return sent
      Object.assign(client, { query })
      call()
      return sent
    }
    Object.assign(client, { query: sendAndCall })
  })
}

void t.test('rejects SQL that is sent while the transaction ends', async (t) => {
  for (const end of ['COMMIT', 'ROLLBACK'] as const) {
    let late: Promise<unknown> | undefined
    const ended = inModelTransaction(prisma, async ({ tx, driver }) => {
      await tx.usedChallenge.count()
      send = () => void (late = failureOf(driver.query(insertOf(newChallenge()))))
      if (end === 'ROLLBACK') throw new Error('planted')
    })
    let send = (): void => undefined
    afterSending(end, () => send())
    await ended.catch(() => undefined)
    t.match(await late, { code: 'database_unavailable' }, end)
  }
  t.equal(await prisma.usedChallenge.count(), 0)
})

void t.test('does not wait for a statement that never ends', { skip }, async (t) => {
  const startMs = Date.now()
  const failed = inModelTransaction(prisma, ({ driver }) => driver.query({ text: 'SELECT pg_sleep(60)' }), {
    maxWait: 10_000,
    timeout: 100,
  })
  t.match(await failureOf(failed), { code: 'database_unavailable' })
  t.ok(Date.now() - startMs < 30_000, 'its connection is closed')
  t.equal(await prisma.usedChallenge.count(), 0, 'the pool has other ones')
})

void t.test('leaves the connection to the transaction that shares it', { skip }, async (t) => {
  await inModelTransaction(prisma, async ({ driver }) => {
    const before = await driver.query(PROCESS)
    await prisma.$transaction([prisma.usedChallenge.count()])
    t.same((await driver.query(PROCESS)).rows, before.rows)
  })
})

void t.test('reports a pool without a free connection as unavailable', async (t) => {
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const { connectionTimeoutMillis } = pool.options
  pool.options.connectionTimeoutMillis = 50
  const failed = inModelTransaction(prisma, ({ tx }) => tx.usedChallenge.count())
  t.match(await failureOf(failed), { code: 'database_unavailable' })
  for (const client of held) client.release()
  pool.options.connectionTimeoutMillis = connectionTimeoutMillis
  t.equal(await inModelTransaction(prisma, ({ tx }) => tx.usedChallenge.count()), 0)
})

void t.test('reports a deadlock as unavailable', { skip }, async (t) => {
  const [one, two] = [newChallenge(), newChallenge()]
  let waiting = 2
  const insertBoth = (first: typeof one, second: typeof one): Promise<unknown> =>
    inModelTransaction(prisma, async ({ tx }) => {
      await tx.usedChallenge.create({ data: first })
      waiting--
      while (waiting > 0) await sleep(5)
      await tx.usedChallenge.createMany({ data: second, skipDuplicates: true })
    })
  const failures = await Promise.all([failureOf(insertBoth(one, two)), failureOf(insertBoth(two, one))])
  t.match(failures.filter(Boolean), [{ code: 'database_unavailable' }])
  t.equal(await prisma.usedChallenge.count(), 2)
})
