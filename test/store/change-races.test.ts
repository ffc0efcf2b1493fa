// Many changes of few accounts at once, written with Prisma's models. Each is stored with all that it records, or not at all.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import type { NewUndo } from '../../src/domain/accounts/undo.ts'
import { unknownUndo } from '../support/accounts/undos.ts'
import { LIMITS } from '../../generated/limits.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { openDatabase } from '../../src/database/index.ts'
import type { Bearer } from '../../src/domain/accounts/account.ts'
import type { NewMail } from '../../src/domain/mail.ts'
import { Failure } from '../../src/domain/failure.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { openStore } from '../../src/store/index.ts'
import { ownDatabase, serverTarget } from '../support/service/databases.ts'
import { embeddedDatabase } from '../support/service/embedded-databases.ts'
import { storePerson } from '../support/service/stored-person.ts'
import { raceRounds } from '../support/timing/races.ts'

const CONNECTIONS = 10
const WORKERS = 9
const ACCOUNTS = 3
const AT_ONCE = 100
const CHANGES_EACH = raceRounds(40)

const { url, drop } = await ownDatabase()
const database = await (url === undefined ? embeddedDatabase() : openDatabase(serverTarget(url, CONNECTIONS)))
database.pool.options.connectionTimeoutMillis = 20_000
t.teardown(async () => {
  await database.close()
  await drop()
})
const { prisma, pool } = database
const { factors } = openStore(database, { clock: systemClock, log: jsonLog('silent'), hasWebhook: true })

const auditContext = { subject: null, address: null, requestId: null }
const enrollment = { administratorsNeedCode: false, codeHash: undefined }
const random = (bytes: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(bytes))
const hashes = Array.from({ length: LIMITS.factors.recovery_codes }, () => random(32))

/** The proof of an account without an established factor */
const given = { proof: { method: 'password', passwordHash: 'x' }, auditEvents: [], mails: [] } as const

type Records = { given: typeof given; auditContext: typeof auditContext; undo: NewUndo; toMails: () => NewMail[] }

/** Returns what a change records: an audit event, and an e-mail. */
function recordsOf({ accountId }: Bearer): Records {
  const mail: NewMail = { accountId, topic: 'test', sealed: random(8), lifeSeconds: 3600 }
  return { given, auditContext, undo: unknownUndo(), toMails: () => [mail] }
}

let people = 0

/** Stores an account with an open session. A pending address makes its first factor an update of the profile. */
async function newBearer(): Promise<Bearer> {
  const number = String(++people).padStart(2, '0')
  const contacts = { email: `racer-${number}@example.org`, e164: `+9665000000${number}` }
  const verified = { isEmailVerified: true, isPhoneVerified: true }
  const accountId = await storePerson(pool, contacts, {
    ...{ accountType: 'client', isAdmin: false, status: 'active', passwordHash: 'x' },
    ...verified,
  })
  await prisma.account.update({ where: { id: accountId }, data: { pendingEmail: `next-${number}@example.org` } })
  const { id: sessionId } = await prisma.session.create({ data: { accountId, address: '::1' } })
  return { accountId, sessionId }
}

function addPasskey(bearer: Bearer): Promise<string> {
  const challenge = { hash: random(32), expiresAt: new Date(Date.now() + 60_000) }
  const passkey = {
    ...{ credentialId: random(32), userHandle: random(32), publicKey: random(64), transports: ['internal'] },
    ...{ counter: 0, aaguid: '00000000-0000-0000-0000-000000000000', relyingPartyId: 'localhost' },
    ...{ backupEligible: true, backedUp: true, challenge, byFactor: false },
  }
  const addition = { passkey, name: 'x', enrollment, recoveryHashes: hashes, ...recordsOf(bearer) }
  return factors.addPasskey(bearer, addition).then(({ passkey: { id } }) => id)
}

async function addApp(bearer: Bearer): Promise<unknown> {
  const sealed = random(32)
  await factors.beginTotp(bearer, sealed, given)
  const confirmation = { sealed, step: 1, recoveryHashes: hashes, enrollment, ...recordsOf(bearer) }
  return factors.confirmTotp(bearer, confirmation)
}

async function deletePasskey(bearer: Bearer): Promise<unknown> {
  const found = await prisma.passkey.findFirst({ where: { accountId: bearer.accountId } })
  return factors.deletePasskey(bearer, found?.id ?? '00000000-0000-0000-0000-000000000000', recordsOf(bearer))
}

/** Changes by the name of their audit event. `deleteTotp` without an app resolves to undefined, and records nothing. */
const CHANGES: Readonly<Record<string, (bearer: Bearer) => Promise<unknown>>> = {
  passkey_added: addPasskey,
  passkey_removed: deletePasskey,
  totp_added: addApp,
  totp_removed: (bearer) => factors.deleteTotp(bearer, recordsOf(bearer)),
  recovery_codes_renewed: (bearer) => factors.renewRecoveryCodes(bearer, hashes, recordsOf(bearer)),
}
const NAMES = Object.keys(CHANGES)

type Outcomes = { committed: Record<string, number>; refused: string[]; unavailable: number }
const newOutcomes = (): Outcomes => ({ committed: {}, refused: [], unavailable: 0 })

/**
 * Makes a change, and counts it by its event, or by the code of its refusal. On a slow machine, some wait for a lock longer than
 * the server allows; these are repeated.
 */
async function count(outcomes: Outcomes, name: string, bearer: Bearer): Promise<void> {
  const { committed, refused } = outcomes
  try {
    const done = await CHANGES[name]?.(bearer)
    if (done !== undefined) committed[name] = (committed[name] ?? 0) + 1
  } catch (error) {
    const code = error instanceof Failure ? error.code : String(error)
    if (code !== 'database_unavailable') {
      refused.push(code)
      return
    }
    outcomes.unavailable++
    await count(outcomes, name, bearer)
  }
}

/** Counts what is stored of accounts: audit events by name, e-mails and webhook events. */
async function stored(
  bearers: readonly Bearer[],
): Promise<{ audited: Record<string, number>; mails: number; events: number }> {
  const where = { accountId: { in: bearers.map(({ accountId }) => accountId) } }
  const rows = await prisma.auditEvent.groupBy({ by: ['event'], where, _count: true })
  return {
    audited: Object.fromEntries(rows.map(({ event, _count }) => [event, _count])),
    mails: await prisma.queuedMail.count({ where }),
    events: await prisma.event.count({ where }),
  }
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, each) => total + each, 0)

/** Compares the stored events with the changes that were reported as committed. An unavailable one may be committed too. */
function requireCounted(t: Test, { committed, unavailable }: Outcomes, audited: Record<string, number>): void {
  t.ok(sum(committed) > 0)
  for (const [name, times] of Object.entries(committed)) t.ok((audited[name] ?? 0) >= times, name)
  const unreported = sum(audited) - sum(committed)
  t.ok(unreported <= unavailable, `${unreported} of ${unavailable} unavailable changes were committed`)
}

void t.test('records each of many changes of one account at once, and announces the first factor once', async (t) => {
  const bearer = await newBearer()
  const outcomes = newOutcomes()
  await Promise.all(Array.from({ length: AT_ONCE }, () => count(outcomes, 'passkey_added', bearer)))
  const { max } = LIMITS.passkeys
  t.same([...new Set(outcomes.refused)], ['invalid_data'])
  requireCounted(t, outcomes, { passkey_added: max })
  t.same(await stored([bearer]), { audited: { passkey_added: max }, mails: max, events: 1 })
  t.equal(await prisma.passkey.count({ where: { accountId: bearer.accountId } }), max)
})

void t.test('records the changes of many workers on few accounts', async (t) => {
  const bearers = await Promise.all(Array.from({ length: ACCOUNTS }, newBearer))
  const outcomes = newOutcomes()
  const work = async (worker: number): Promise<void> => {
    for (let at = 0; at < CHANGES_EACH; at++) {
      const bearer = bearers[(worker + at) % ACCOUNTS]
      const name = NAMES[(worker * 7 + at) % NAMES.length] ?? ''
      if (bearer) await count(outcomes, name, bearer)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))
  const { refused } = outcomes
  const allowed = ['passkey_unknown', 'second_factor_missing', 'totp_not_begun', 'invalid_data']
  t.same(
    refused.filter((code) => !allowed.includes(code)),
    [],
  )
  const { audited, mails } = await stored(bearers)
  requireCounted(t, outcomes, audited)
  t.equal(mails, sum(audited))
})

void t.test('stores nothing of a change that fails with its last step', async (t) => {
  const bearer = await newBearer()
  const id = await addPasskey(bearer)
  const before = await stored([bearer])
  const fault = new Error('planted')
  const toMails = (): never => {
    throw fault
  }
  await t.rejects(factors.deletePasskey(bearer, id, { given, auditContext, undo: unknownUndo(), toMails }), fault)
  t.same(await stored([bearer]), before)
  t.equal(await prisma.passkey.count({ where: { id } }), 1)
  t.not((await prisma.account.findUniqueOrThrow({ where: { id: bearer.accountId } })).factorsSince, null)
})

void t.test('has caused no deadlock', async (t) => {
  const [{ deadlocks } = { deadlocks: undefined }] = await prisma.$queryRaw<{ deadlocks: number }[]>`
    SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`
  t.equal(deadlocks, 0)
})
