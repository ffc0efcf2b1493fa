// The limits of wrong passwords and codes, which lock out neither the owner of an account nor the people behind one address.
import t from 'tap'
import { loginAssertion, passkeyOwner } from '../../support/accounts/authenticator.ts'
import { unknownUndo } from '../../support/accounts/undos.ts'
import { openApp } from '../../../src/app.ts'
import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import { failureSubject } from '../../../src/services/password/guess-counters.ts'
import { resetBy } from '../../support/accounts/resets.ts'
import { establish, protectedPerson } from '../../support/accounts/second-factors.ts'
import type { Received } from '../../support/service/responses.ts'
import { sender } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const { failures_per_account_per_day: PER_DAY, failures_per_56: PER_56, failures_per_48: PER_48 } = LIMITS.login
const OWNER = '198.51.100.7'

const service = await sharedService()
const origins = [service.origin]
if (service.config.redisUrl !== undefined) {
  const second = await openApp(service.config, service.dependencies)
  t.teardown(() => second.close())
  origins.push(await second.server.listen({ host: '127.0.0.1', port: 0 }))
}
let requests = 0

/** A login over the instances in turn */
function login(address: string, email: string, password = 'a wrong password'): Promise<Received> {
  const origin = origins[++requests % origins.length] ?? service.origin
  return sender(origin, 'login', address)({ json: { email, password } })
}

/** The number of logins that can wait for a hashing thread on a slow machine without being rejected */
const AT_ONCE = 60

/** Returns how many of many guesses were evaluated. */
async function evaluated(email: string, addresses: readonly string[], atOnce = AT_ONCE): Promise<number> {
  const statuses: number[] = []
  for (let first = 0; first < addresses.length; first += atOnce) {
    const some = addresses.slice(first, first + atOnce)
    statuses.push(...(await Promise.all(some.map(async (address) => (await login(address, email)).status))))
  }
  t.ok(
    statuses.every((status) => status === 401 || status === 429),
    'every guess is wrong or rejected',
  )
  return statuses.filter((status) => status === 401).length
}

/** Counts wrong passwords of other networks for an account, by default all of a day, without sending them. */
async function useUpDay(email: string, count: number = PER_DAY): Promise<void> {
  const { limits, store } = service.app.context
  const account = await store.accounts.loginCredentials(email, OWNER)
  const counter = { policy: RATE_LIMITS['password-day'], key: failureSubject(email, account) }
  for (let counted = 0; counted < count; counted++) await limits.consume(counter)
}

let blocks = 0

/** Returns IPv4 addresses that no other test uses. */
function newAddresses(count: number): string[] {
  blocks++
  return Array.from({ length: count }, (_, at) => `100.${64 + blocks}.${at >> 8}.${at & 255}`)
}

/** Returns addresses of one /48: a number of them in each of several /64s, each /64 in its own /56. */
function inOne48(networks: number, each: number): string[] {
  blocks++
  return Array.from(
    { length: networks * each },
    (_, at) => `2001:db8:${blocks.toString(16)}:${(at % networks).toString(16)}00::${(at + 1).toString(16)}`,
  )
}

/** A person who has logged in from `OWNER` */
async function owner(world: World): Promise<{ id: number; email: string; token: string }> {
  const { id, email } = await world.person()
  const { body } = await login(OWNER, email, PASSWORD)
  return { id, email, token: (body.data.account as { token: string }).token }
}

void t.test('evaluates at most 100 of 130 wrong passwords from thirteen /64s of one /48', async (t) => {
  const { email } = await owner(await openWorld())
  const guesses = inOne48(13, 10)
  t.ok((await evaluated(email, guesses)) <= PER_DAY)
  t.equal((await login(OWNER, email, PASSWORD)).status, 200, 'the owner logs in from a known network')
})

void t.test(
  'evaluates exactly 100 of 300 wrong passwords from 300 addresses, and the owner can log in meanwhile',
  async (t) => {
    const { email } = await owner(await openWorld())
    const [guesses, logins] = await Promise.all([
      evaluated(email, newAddresses(300)),
      Promise.all(Array.from({ length: 10 }, () => login(OWNER, email, PASSWORD))),
    ])
    t.equal(guesses, PER_DAY)
    t.same([...new Set(logins.map(({ status }) => status))], [200])
    const [newAddress = ''] = newAddresses(1)
    const refused = await login(newAddress, email, PASSWORD)
    t.equal(refused.headers['error-code'], 'rate_limited')
    t.ok(Number(refused.headers['retry-after']) > 23 * 60 * 60)
  },
)

void t.test('evaluates exactly 100 wrong codes of a second factor in a day, also with a new password', async (t) => {
  const world = await openWorld()
  const { person, nextCode, recoveryCodes } = await protectedPerson(world)
  await establish(world, person)
  const { email } = person
  t.equal((await world.send('login')({ json: { email, password: PASSWORD, code: nextCode() } })).status, 200)
  let password: string = PASSWORD
  const guess = async (address: string): Promise<number> =>
    (await sender(service.origin, 'login', address)({ json: { email, password, code: '000000' } })).status
  const statuses: number[] = []
  for (const addresses of [newAddresses(60), newAddresses(60)]) {
    statuses.push(...(await Promise.all(addresses.map(guess))))
    t.equal(await resetBy.email(world, person), 200)
    password = resetBy.password
    world.wait(61_000)
  }
  t.equal(statuses.filter((status) => status === 401).length, PER_DAY)
  t.equal(statuses.filter((status) => status === 429).length, 20)
  const code = nextCode()
  t.equal((await world.send('login')({ json: { email, password, code } })).status, 200, 'the owner, in a known network')
  const [elsewhere = '', other = ''] = newAddresses(2)
  const recover = (address: string, given?: string): Promise<Received> =>
    sender(service.origin, 'login', address)({ json: { email, password, code: given } })
  t.equal((await recover(elsewhere, nextCode())).status, 429, 'a code of the app, elsewhere')
  t.equal((await recover(elsewhere)).headers['error-code'], 'mfa_required')
  t.equal((await recover(elsewhere, recoveryCodes[0])).status, 200, 'a recovery code, elsewhere')
  for (let wrong = 0; wrong < 10; wrong++) t.equal((await recover(other, 'A'.repeat(24))).status, 401)
  t.equal((await recover(other, 'A'.repeat(24))).status, 429, 'recovery codes are counted by network')
})

void t.test(
  'evaluates 100 codes of 1,000 networks in a day, and the owner logs in from a known one meanwhile',
  async (t) => {
    const world = await openWorld()
    const { person, nextCode } = await protectedPerson(world)
    const { email } = person
    const logIn = async (): Promise<number> =>
      (await world.send('login')({ json: { email, password: PASSWORD, code: nextCode() } })).status
    const [before = '', ...networks] = newAddresses(1001)
    await service.database.prisma.session.create({
      data: { accountId: person.id, address: before, createdAt: new Date(Date.now() - DAY_MS) },
    })
    t.equal(await logIn(), 200)
    let evaluated = 0
    for (let first = 0; first < networks.length; first += 50) {
      const guesses = [before, ...networks.slice(first, first + 50)].map((address) =>
        sender(service.origin, 'login', address)({ json: { email, password: PASSWORD, code: '000000' } }),
      )
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      t.ok(statuses.every((status) => status === 401 || status === 429))
      evaluated += statuses.filter((status) => status === 401).length
      if (first % 250 === 0) t.equal(await logIn(), 200)
      world.wait(68 * MINUTE_MS)
    }
    t.equal(evaluated, PER_DAY)
    t.equal(await logIn(), 200)
  },
)

void t.test(
  'lets 480 people in behind one address at which 20 others guess, and a new user after 5 minutes',
  async (t) => {
    const world = await openWorld()
    const [address = ''] = newAddresses(1)
    const people = await world.people(500)
    await service.database.prisma.session.createMany({ data: people.map(({ id }) => ({ accountId: id, address })) })
    const newUser = await world.person()
    for (let round = 0; round < 12; round++)
      await Promise.all(people.slice(0, 20).map(({ email }) => login(address, email)))
    const refused = await login(address, newUser.email, PASSWORD)
    t.equal(refused.status, 429)
    t.ok(Number(refused.headers['retry-after']) <= 300)
    t.equal((await login(address, 'nobody@example.org', PASSWORD)).status, 429, 'as an address without an account')
    t.equal(
      (await login(address, people[0]?.email ?? '', PASSWORD)).status,
      429,
      'an account whose password is guessed',
    )
    for (let first = 20; first < 500; first += 30) {
      const some = people.slice(first, Math.min(500, first + 30))
      const logins = await Promise.all(some.map(({ email }) => login(address, email, PASSWORD)))
      t.same([...new Set(logins.map(({ status }) => status))], [200])
    }
    world.wait(Number(refused.headers['retry-after']) * 1000)
    t.equal((await login(address, newUser.email, PASSWORD)).status, 200)
  },
)

void t.test('lets the owner of a passkey in at a known network that is at its limit', async (t) => {
  const world = await openWorld()
  const { passkey } = await passkeyOwner(world)
  await Promise.all(Array.from({ length: 35 }, (_, at) => login(world.address, `nobody-${at}@example.net`)))
  const attempt = async (address: string): Promise<number> =>
    (await sender(service.origin, 'loginWithPasskey', address)({ json: await loginAssertion(world, passkey) })).status
  t.equal(await attempt(world.address), 200)
  const [other = ''] = newAddresses(1)
  await Promise.all(Array.from({ length: 35 }, (_, at) => login(other, `nobody-${at}@example.com`)))
  t.equal(await attempt(other), 429, 'a network that the account does not know')
})

void t.test('rejects an unknown e-mail address in the same way', async (t) => {
  const { email } = await owner(await openWorld())
  for (const each of [email, 'x@example.org']) {
    await useUpDay(each, PER_DAY - 10)
    t.equal(await evaluated(each, newAddresses(15)), 10)
  }
  const [one = '', other = ''] = newAddresses(2)
  const [ofKnown, ofUnknown] = [await login(one, email), await login(other, 'x@example.org')]
  t.same(ofUnknown.body, ofKnown.body)
  t.same(Object.keys(ofUnknown.headers), Object.keys(ofKnown.headers))
  t.equal(ofUnknown.headers['ratelimit-policy'], ofKnown.headers['ratelimit-policy'])
})

void t.test('returns the same headers to a known network and to another one', async (t) => {
  const { email } = await owner(await openWorld())
  const [newAddress = '', other = ''] = newAddresses(2)
  const [known, unknown] = [await login(OWNER, email), await login(newAddress, email)]
  t.equal(known.headers['ratelimit-policy'], unknown.headers['ratelimit-policy'])
  t.notMatch(known.headers['ratelimit'], /day/)
  t.equal((await login(other, email)).status, 401)
})

void t.test('evaluates 10 wrong passwords of a known network in 15 minutes, apart from all others', async (t) => {
  const world = await openWorld()
  const { email } = await owner(world)
  const guesses = Array.from({ length: 15 }, () => OWNER)
  for (let rounds = 0; rounds < 12; rounds++) {
    t.equal(await evaluated(email, guesses), LIMITS.login.failures_per_account)
    world.wait(15 * MINUTE_MS)
  }
  const [elsewhere = ''] = newAddresses(1)
  t.equal((await login(elsewhere, email, PASSWORD)).status, 200, 'other networks have a separate limit')
})

void t.test('recognizes a network for 90 days', async (t) => {
  const world = await openWorld()
  const { email } = await owner(world)
  world.wait(89 * DAY_MS)
  await useUpDay(email)
  t.equal((await login(OWNER, email, PASSWORD)).status, 200)
  const another = await owner(world)
  world.wait(100 * DAY_MS)
  await useUpDay(another.email)
  t.equal((await login(OWNER, another.email, PASSWORD)).status, 429)
})

void t.test('resets the failures of a day after a day', async (t) => {
  const world = await openWorld()
  const { email } = await owner(world)
  const [newAddress = ''] = newAddresses(1)
  await useUpDay(email)
  world.wait(DAY_MS - MINUTE_MS)
  t.equal((await login(newAddress, email, PASSWORD)).status, 429)
  world.wait(MINUTE_MS)
  t.equal((await login(newAddress, email, PASSWORD)).status, 200)
})

void t.test('clears the failures of the account, of the day and of the network after a new password', async (t) => {
  const world = await openWorld()
  const { id, email } = await owner(world)
  const [newAddress = ''] = newAddresses(1)
  await useUpDay(email)
  await evaluated(
    email,
    Array.from({ length: 12 }, () => OWNER),
  )
  t.equal((await login(newAddress, email, PASSWORD)).status, 429)
  t.equal((await login(OWNER, email, PASSWORD)).status, 429)
  const { context } = service.app
  const tokenHash = context.resetTokens.hash(context.resetTokens.newToken())
  const expiresAt = new Date(Date.now() + 60_000)
  await service.database.prisma.passwordReset.create({ data: { accountId: id, tokenHash, expiresAt } })
  const hash = await context.passwords.hash('olive3kayak', { owner: `test ${id}` })
  const auditContext = { subject: null, address: null, requestId: null }
  const records = { auditContext, undo: unknownUndo(), toMails: () => [], removal: { auditContext, toMails: () => [] } }
  t.ok(await context.store.recovery.resetByToken(tokenHash, { passwordHash: hash, verification: undefined }, records))
  for (const address of [newAddress, OWNER]) t.equal((await login(address, email, 'olive3kayak')).status, 200, address)
})

void t.test('evaluates 10 of 200 parallel guesses of one network', async (t) => {
  const { email } = await owner(await openWorld())
  const [address = ''] = newAddresses(1)
  t.equal(
    await evaluated(
      email,
      Array.from({ length: 200 }, () => address),
      200,
    ),
    LIMITS.login.failures_per_account,
  )
})

void t.test('counts a wrong current password with the wrong logins of the day', async (t) => {
  const world = await openWorld()
  const { email, token } = await owner(world)
  await useUpDay(email, PER_DAY - 2)
  const [newAddress = '', another = ''] = newAddresses(2)
  const change = sender(service.origin, 'changePassword', newAddress)
  const json = { current_password: 'a wrong password', new_password: 'olive3kayak' }
  t.equal((await change({ token, json })).status, 422)
  const deletion = sender(service.origin, 'requestAccountDeletion', newAddress)
  t.equal((await deletion({ token, json: { password: 'a wrong password' } })).status, 422)
  t.equal((await login(another, email)).status, 429)
  t.equal((await change({ token, json })).status, 429)
  t.equal((await sender(service.origin, 'changePassword', OWNER)({ token, json })).status, 422, 'from a known network')
})

for (const [bits, most, addresses] of [
  [48, PER_48, inOne48(13, 12)],
  [56, PER_56, inOne48(13, 12).map((address) => address.replace('00::', '::'))],
] as const) {
  void t.test(`counts the failures of all accounts by /${bits} too`, async (t) => {
    const statuses: number[] = []
    for (const [at, address] of addresses.entries())
      statuses.push((await login(address, `nobody-${bits}-${at}@example.org`)).status)
    t.equal(statuses.filter((status) => status === 401).length, most)
  })
}
