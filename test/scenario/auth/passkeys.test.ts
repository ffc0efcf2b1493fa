// A passkey proves its owner once, for this service, and for what its challenge was issued for.
import t from 'tap'
import {
  createPasskey,
  loginAssertion,
  newPasskey,
  passkeyOwner,
  type Reported,
} from '../../support/accounts/authenticator.ts'
import { begin, BY_PASSWORD, codeAt, establish } from '../../support/accounts/second-factors.ts'
import { establishedPerson, resetBy } from '../../support/accounts/resets.ts'
import { instanceWith } from '../../support/service/instance.ts'
import { untilServed } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const MINUTE_MS = 60_000

const service = await sharedService()
const { keys } = service.config
const second = await instanceWith(service, 'text' in keys ? keys.text : '')

function openSessions({ service: { database } }: World, accountId: number): Promise<number> {
  return database.prisma.session.count({ where: { accountId, endedAt: null } })
}

type Change = Readonly<{ made?: Partial<Reported>; used: Partial<Reported>; isRight: boolean }>

/** What an authenticator reports at a login, after what it reported before (WebAuthn Level 3, section 7.2) */
const REPORTS: Record<string, Change> = {
  'another origin': { used: { origin: 'https://evil.example' }, isRight: false },
  'a subdomain that is not configured': { used: { origin: 'http://evil.localhost' }, isRight: false },
  'another port of localhost': { used: { origin: 'http://localhost:8080' }, isRight: true },
  'another domain': { used: { rpId: 'evil.example' }, isRight: false },
  'no verification of the user': { used: { userVerified: false }, isRight: false },
  'the handle of another account': { used: { userHandle: 'AAAA' }, isRight: false },
  'a backup that was lost': { used: { backedUp: false }, isRight: true },
  'that the passkey can no longer be backed up': { used: { backupEligible: false, backedUp: false }, isRight: false },
  'that the passkey can now be backed up': {
    made: { backupEligible: false, backedUp: false },
    used: { backupEligible: true },
    isRight: false,
  },
  'a higher counter': {
    made: { backupEligible: false, backedUp: false, counter: 5 },
    used: { counter: 6 },
    isRight: true,
  },
  'the same counter': {
    made: { backupEligible: false, backedUp: false, counter: 5 },
    used: { counter: 5 },
    isRight: false,
  },
  'a lower counter': {
    made: { backupEligible: false, backedUp: false, counter: 5 },
    used: { counter: 4 },
    isRight: false,
  },
  'no counter': { made: { backupEligible: false, backedUp: false }, used: { counter: 0 }, isRight: true },
  'a lower counter of a synchronized passkey': { made: { counter: 5 }, used: { counter: 4 }, isRight: true },
}

for (const [report, { made = {}, used, isRight }] of Object.entries(REPORTS)) {
  void t.test(`${isRight ? 'accepts' : 'rejects'} an authenticator that reports ${report}`, async (t) => {
    const world = await openWorld(service)
    const { passkey } = await passkeyOwner(world, made)
    const { status } = await world.send('loginWithPasskey')({ json: await loginAssertion(world, passkey, used) })
    t.equal(status, isRight ? 200 : 401)
  })
}

for (const [report, change] of Object.entries({
  'another origin': { origin: 'https://evil.example' },
  'another domain': { rpId: 'evil.example' },
  'no verification of the user': { userVerified: false },
})) {
  void t.test(`adds no passkey of an authenticator that reports ${report}`, async (t) => {
    const world = await openWorld(service)
    const token = await (await world.person()).token()
    const { json } = await newPasskey(world, token, change)
    const { body } = await world.send('addPasskey')({ token, json })
    t.same(body.data.codes, { credential: ['passkey_wrong'] })
  })
}

void t.test('accepts a challenge for 300 seconds', async (t) => {
  const world = await openWorld(service)
  const { passkey } = await passkeyOwner(world)
  const [early, late] = [await loginAssertion(world, passkey), await loginAssertion(world, passkey)]
  world.wait(4 * MINUTE_MS)
  t.equal((await world.send('loginWithPasskey')({ json: early })).status, 200)
  world.wait(MINUTE_MS)
  t.equal((await world.send('loginWithPasskey')({ json: late })).status, 401)
})

const ISSUED = ['beginPasskeyLogin', 'beginPasskeyReauthentication', 'beginPasskey'] as const
const USED = ['loginWithPasskey', 'reauthenticateWithPasskey', 'addPasskey'] as const

for (const [at, from] of ISSUED.entries()) {
  for (const to of USED) {
    const isSame = to === USED[at]
    void t.test(`${to} ${isSame ? 'accepts' : 'rejects'} a challenge of ${from}`, async (t) => {
      const world = await openWorld(service)
      const { passkey, token } = await passkeyOwner(world)
      const { body } = await world.send(from)({ token, ...(from === 'beginPasskey' && BY_PASSWORD) })
      const { challenge } = body.data as { challenge: string }
      const options = { challenge, rpId: 'localhost', rp: { id: 'localhost' }, user: { id: passkey.userHandle } }
      const credential = to === 'addPasskey' ? createPasskey(options).credential : passkey.get(options)
      const json = { credential, ...(to === 'addPasskey' && { name: 'MacBook' }) }
      const { status } = await world.send(to)({ json, ...(to !== 'loginWithPasskey' && { token }) })
      t.equal(status < 300, isSame, String(status))
    })
  }
}

void t.test('a reset of the password removes no established passkey', async (t) => {
  const world = await openWorld(service)
  const person = await establishedPerson(world)
  const token = await person.token()
  const { passkey, json } = await newPasskey(world, token)
  t.equal((await world.send('addPasskey')({ token, json })).status, 201)
  await establish(world, person)
  t.equal(await resetBy.email(world, person), 200)
  const login = { email: person.email, password: resetBy.password }
  const { status, headers } = await world.send('login')({ json: login })
  t.same([status, headers['mfa-methods']], [403, 'passkey, recovery_code'])
  t.equal((await world.send('loginWithPasskey')({ json: await loginAssertion(world, passkey) })).status, 200)
})

void t.test('leaves no session of a password alone, whatever races with the first passkey', async (t) => {
  const rounds = raceRounds(10)
  for (let round = 0; round < rounds; round++) {
    const world = await openWorld(service)
    const person = await world.person()
    const token = await person.token()
    const { json } = await newPasskey(world, token)
    const login = { json: { email: person.email, password: PASSWORD } }
    const [added, ...logins] = await Promise.all([
      untilServed(world.send('addPasskey'), { token, json }),
      untilServed(second.send('login'), login),
      untilServed(world.send('login'), login),
    ])
    t.equal(added.status, 201)
    for (const each of logins.filter(({ status }) => status === 200))
      t.equal((await world.send('checkToken')({ token: tokensIn(each).token })).status, 401)
    t.equal(await openSessions(world, person.id), 1, 'only the session that has added the passkey is left')
  }
})

void t.test('ends the protection when both factors are removed at the same time', async (t) => {
  const rounds = raceRounds(10)
  for (let round = 0; round < rounds; round++) {
    const world = await openWorld(service)
    const owner = await passkeyOwner(world)
    const { token } = owner
    const { secret } = await begin(world, token)
    const json = { code: codeAt(secret, service.clock.nowMs()) }
    t.equal((await world.send('confirmTotp')({ token, json })).status, 200)
    const [app, key] = await Promise.all([
      untilServed(world.send('removeTotp'), { token, ...BY_PASSWORD }),
      untilServed(second.send('removePasskey'), { token, path: { passkey_id: owner.id }, ...BY_PASSWORD }),
    ])
    t.same([app.status, key.status], [200, 200])
    const none = { passkeys: [], totp_added_at: null, recovery_codes_left: 0, reset_at: null }
    t.same((await world.send('getFactors')({ token })).body.data, none)
    t.equal((await world.send('login')({ json: { email: owner.email, password: PASSWORD } })).status, 200)
  }
})

void t.test('accepts a passkey or removes it first, if both happen at the same time', async (t) => {
  const rounds = raceRounds(10)
  for (let round = 0; round < rounds; round++) {
    const world = await openWorld(service)
    const owner = await passkeyOwner(world)
    const json = await loginAssertion(world, owner.passkey)
    const [login, removal] = await Promise.all([
      untilServed(second.send('loginWithPasskey'), { json }),
      untilServed(world.send('removePasskey'), { token: owner.token, path: { passkey_id: owner.id }, ...BY_PASSWORD }),
    ])
    t.equal(removal.status, 200)
    t.equal(await openSessions(world, owner.accountId), login.status === 200 ? 2 : 1)
    t.ok([200, 401].includes(login.status), String(login.status))
  }
})

/** Sets the time at which the second factors of an account end. */
async function resetFactors({ service: { database } }: World, id: number, factorsResetAt: Date): Promise<void> {
  await database.prisma.account.update({ where: { id }, data: { factorsResetAt } })
}

void t.test(
  'ends passkeys with a reset of the second factors, and forgets them with the next first factor',
  async (t) => {
    const world = await openWorld(service)
    const owner = await passkeyOwner(world)
    const { token } = owner
    await resetFactors(world, owner.accountId, new Date(service.clock.nowMs() - 1000))
    t.equal((await world.send('loginWithPasskey')({ json: await loginAssertion(world, owner.passkey) })).status, 401)
    const none = { passkeys: [], totp_added_at: null, recovery_codes_left: 0, reset_at: null }
    t.same((await world.send('getFactors')({ token })).body.data, none)
    const path = { passkey_id: owner.id }
    t.equal((await world.send('removePasskey')({ token, path, ...BY_PASSWORD })).status, 404)
    t.equal((await world.send('login')({ json: { email: owner.email, password: PASSWORD } })).status, 200)

    const { passkey, json } = await newPasskey(world, token)
    const { status, body } = await world.send('addPasskey')({ token, json })
    t.equal(status, 201)
    t.equal((body.data as { recovery_codes: string[] }).recovery_codes.length, 10)
    t.equal(await service.database.prisma.passkey.count({ where: { accountId: owner.accountId } }), 1)
    t.equal((await world.send('loginWithPasskey')({ json: await loginAssertion(world, owner.passkey) })).status, 401)
    t.equal((await world.send('loginWithPasskey')({ json: await loginAssertion(world, passkey) })).status, 200)
  },
)

void t.test('cancels a pending reset of the second factors by a login with a passkey', async (t) => {
  const world = await openWorld(service)
  const { accountId, passkey, token } = await passkeyOwner(world)
  await establish(world, { id: accountId })
  await resetFactors(world, accountId, new Date(service.clock.nowMs() + 60 * MINUTE_MS))
  t.match((await world.send('getFactors')({ token })).body.data, { reset_at: /Z$/ })
  t.equal((await world.send('loginWithPasskey')({ json: await loginAssertion(world, passkey) })).status, 200)
  t.match((await world.send('getFactors')({ token })).body.data, { reset_at: null })
})
