// A registration is atomic whenever its process is killed: the whole account is stored, or nothing. KILLS sets the number
// of kills: KILLS=200 node dist/test/scenario/accounts/registration-kills.test.js
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import type { Received } from '../../support/service/responses.ts'
import { start, temporaryFolder } from '../../support/processes/process.ts'
import { clientRegistration, lawyerRegistration, NEW_PASSWORD } from '../../support/accounts/registrations.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import { ownDatabase, serverTarget } from '../../support/service/databases.ts'
import { tokensIn } from '../../support/service/world.ts'

const IS_EMBEDDED = process.env['DATABASE_URL'] === undefined
const KILLS = Number(process.env['KILLS'] ?? (IS_EMBEDDED ? 1 : 4))
const CLIENTS = 4
const ACKNOWLEDGED_MAX = 5
const MOMENTS_MAX = 12
const LOOK_MS = 5
/** Neighbouring numbers share a limit. */
const FAR_APART = 1009

type Form = Record<string, string>
type Attempts = {
  /** Registrations that were acknowledged, or that are stored although they were not */
  stored: { email: string; token: string | undefined }[]
  /** Registrations with an unknown outcome, because the process was killed meanwhile */
  lost: Form[]
}
type SendTo = (id: Parameters<typeof sender>[1]) => Send

let addresses = 0
let numbers = 0

/** Sends each request from its own address, because limits apply by address. */
function toService(origin: string): SendTo {
  return (id) => sender(origin, id, `10.${++addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`)
}

/** Returns a number with a known code. */
async function confirmable(origin: string): Promise<Form> {
  const phone = `050${String((++numbers * FAR_APART) % 10_000_000).padStart(7, '0')}`
  await toService(origin)('checkPhone')({ form: { phone_code: '966', phone } })
  const outbox = (await (await fetch(`${origin}/dev/outbox`)).json()) as {
    data: { messages: { to: string; text: string }[] }
  }
  const sms = outbox.data.messages.find(({ to }) => to === `+966${phone.slice(1)}`)
  return { phone, phone_code: '966', otp: /\d{6}/.exec(sms?.text ?? '')?.[0] ?? '' }
}

async function newForm(origin: string): Promise<Form> {
  const kind = randomInt(3)
  if (kind === 0) return clientRegistration()
  return kind === 1 ? lawyerRegistration() : clientRegistration(await confirmable(origin))
}

/** Registers one account after the other, starting with the lost ones, until the process is killed. */
async function registerOn(origin: string, { stored, lost }: Attempts): Promise<never> {
  for (;;) {
    const form = lost.pop() ?? (await newForm(origin))
    let response: Received
    try {
      response = await toService(origin)('register')({ json: form })
    } catch (error) {
      lost.push(form)
      throw error
    }
    const { status, body } = response
    const { email = '' } = form
    const isTaken = JSON.stringify(body.data).includes('email_taken')
    if (status === 503) lost.push(form)
    else if (status === 201) stored.push({ email, token: tokensIn(response).token })
    else if (isTaken) stored.push({ email, token: undefined })
    else throw new Error(`${JSON.stringify(form)} got the response ${JSON.stringify(body)}`)
  }
}

/** Kills the process after a random number of responses. */
async function killed(environment: Record<string, string>, attempts: Attempts): Promise<unknown[]> {
  const service = await start(environment)
  const ends = Array.from({ length: CLIENTS }, () => registerOn(service.origin, attempts))
  const ended = Promise.allSettled(ends)
  const enough = attempts.stored.length + randomInt(ACKNOWLEDGED_MAX)
  const moment = (): Promise<unknown> => fetch(`${service.origin}/health/live`)
  while (attempts.stored.length < enough) await Promise.race([Promise.any(ends), sleep(LOOK_MS)])
  for (let moments = randomInt(MOMENTS_MAX); moments > 0; moments--) await moment()
  await service.kill('SIGKILL')
  return (await ended).map((end) => (end as PromiseRejectedResult).reason as unknown)
}

const PARTIAL_ACCOUNTS: Record<string, string> = {
  'an account without a profile': `SELECT a.id FROM accounts a LEFT JOIN profiles p ON p.account_id = a.id
    WHERE p.account_id IS NULL`,
  'a lawyer without names': `SELECT a.id FROM accounts a LEFT JOIN lawyer_profiles l ON l.account_id = a.id
    WHERE a.account_type = 'lawyer' AND l.account_id IS NULL`,
  'an account without a session': `SELECT a.id FROM accounts a LEFT JOIN sessions s ON s.account_id = a.id
    WHERE a.email LIKE 'new-%' AND s.id IS NULL`,
  'a session without an account': `SELECT s.id FROM sessions s LEFT JOIN accounts a ON a.id = s.account_id
    WHERE a.id IS NULL`,
  'a code that is used up without an account': `SELECT v.phone FROM phone_verifications v
    LEFT JOIN accounts a ON a.phone = v.phone AND a.phone_verified_at IS NOT NULL WHERE v.state = 'used' AND a.id IS NULL`,
  'an account whose code is not used up': `SELECT a.id FROM accounts a
    LEFT JOIN phone_verifications v ON v.phone = a.phone AND v.state = 'used'
    WHERE a.email LIKE 'new-%' AND a.phone_verified_at IS NOT NULL AND v.phone IS NULL`,
  'an account whose registration is not in the audit trail once': `SELECT a.id FROM accounts a
    LEFT JOIN audit_events e ON e.account_id = a.id AND e.event = 'registered'
    WHERE a.email LIKE 'new-%' GROUP BY a.id HAVING count(e.id) <> 1`,
  'a registration in the audit trail without an account': `SELECT e.id FROM audit_events e
    LEFT JOIN accounts a ON a.id = e.account_id WHERE e.event = 'registered' AND a.id IS NULL`,
}

async function partialAccountsIn({ pool }: Database): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(PARTIAL_ACCOUNTS).map(async ([what, sql]) =>
      (await pool.query(sql)).rows.length > 0 ? [what] : [],
    ),
  )
  return found.flat()
}

void t.test(`stores no partial account when killed ${KILLS} times during registrations`, async (t) => {
  if (KILLS > 10) t.setTimeout(0)
  const own = await ownDatabase()
  t.teardown(() => own.drop())
  const folder = temporaryFolder()
  const place = own.url === undefined ? { directory: folder } : serverTarget(own.url, 2)
  const environment = {
    DATA_DIR: folder,
    TRUST_PROXY: '127.0.0.1',
    PASSWORD_THREADS: IS_EMBEDDED ? '1' : '2',
    BCRYPT_COST: '10',
    LOG_LEVEL: 'warn',
    ...own.environment,
  }
  const attempts: Attempts = { stored: [], lost: [] }
  let interrupted = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const ends = await killed(environment, attempts)
    interrupted += attempts.lost.length
    const unexpected = ends.filter((end) => !/ECONNREFUSED|ECONNRESET|other side closed|fetch failed/.test(String(end)))
    t.same(unexpected.map(String), [])
  }

  const service = await start(environment)
  const send = toService(service.origin)
  for (const form of attempts.lost) {
    const { status, body } = await send('register')({ json: form })
    const isStored = status === 201 || JSON.stringify(body.data).includes('email_taken')
    t.ok(isStored, 'a lost registration can be repeated, unless it is stored')
    attempts.stored.push({ email: form['email'] ?? '', token: undefined })
  }
  const statuses = new Set<number>()
  for (const { email, token } of attempts.stored) {
    statuses.add((await toService(service.origin)('login')({ json: { email, password: NEW_PASSWORD } })).status)
    if (token !== undefined) statuses.add((await toService(service.origin)('checkToken')({ token })).status)
  }
  const acknowledged = attempts.stored.filter(({ token }) => token !== undefined).length
  t.same(
    [...statuses],
    [200],
    `${attempts.stored.length} accounts, ${acknowledged} of them acknowledged, ${interrupted} interrupted`,
  )
  await service.kill('SIGTERM')

  const database = await openDatabase(place)
  t.same(await partialAccountsIn(database), [])
  const count = await database.prisma.account.count({ where: { email: { startsWith: 'new-' } } })
  t.equal(count, new Set(attempts.stored.map(({ email }) => email)).size, 'no other account is stored')
  await database.close()
})
