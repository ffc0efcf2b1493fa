// Who can add and remove second factors, and renew recovery codes: nothing younger or weaker replaces what is older or stronger.
import t from 'tap'
import { eventsOf } from '../../support/cases/administration.ts'
import {
  newPasskey,
  passkeyOwner,
  reauthenticationAssertion,
  storePasskey,
} from '../../support/accounts/authenticator.ts'
import { mailsTo, settled } from '../../support/accounts/resets.ts'
import {
  begin,
  BY_PASSWORD,
  codeAt,
  establish,
  protectedPerson,
  type Protected,
} from '../../support/accounts/second-factors.ts'
import type { Received } from '../../support/service/responses.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, PASSWORD, tokensIn, type World } from '../../support/service/world.ts'

const DAY_MS = 24 * 3_600_000
const service = await openService()
t.teardown(() => service.close())

const CHANGES = ['beginTotp', 'beginPasskey', 'renewRecoveryCodes', 'removeTotp', 'removePasskey'] as const

type Sending = Readonly<{ world: World; token: string; passkeyId?: string }>

function sendChange(
  id: (typeof CHANGES)[number],
  { world, token, passkeyId }: Sending,
  json: object,
): Promise<Received> {
  const path = { passkey_id: passkeyId ?? '' }
  return world.send(id)({ token, json, ...(id === 'removePasskey' && { path }) })
}

const outcomeOf = ({ status, headers, body }: Received): unknown =>
  status === 200 ? 200 : ((body.data as { codes?: object } | null)?.codes ?? headers['error-code'])

/** Reads what an account has that proves its owner. */
async function factorsOf({ person: { id: accountId } }: Pick<Protected, 'person'>): Promise<unknown> {
  const { secondFactors, passkey } = service.database.prisma
  const { totpSecret, recoveryCodes } = await secondFactors.findUniqueOrThrow({ where: { accountId } })
  const passkeys = await passkey.findMany({ where: { accountId }, select: { id: true }, orderBy: { id: 'asc' } })
  return { totpSecret, recoveryCodes, passkeys }
}

void t.test('changes nothing for a thief of the password, or of a session, of an account with an app', async (t) => {
  const world = await openWorld(service)
  const owner = await protectedPerson(world)
  const passkeyId = await storePasskey(world, owner.person)
  await establish(world, owner.person)
  const before = await factorsOf(owner)
  for (const proof of [{}, { password: PASSWORD }, { password: PASSWORD, code: '12 34 56' }]) {
    const elsewhere = await openWorld(service) // requests count per network
    for (const id of CHANGES) {
      const received = await sendChange(id, { world: elsewhere, token: owner.token, passkeyId }, proof)
      t.ok([403, 422].includes(received.status), `${id} ${JSON.stringify(proof)}`)
    }
  }
  t.same(await factorsOf(owner), before)
  const json = { email: owner.person.email, password: PASSWORD, code: owner.recoveryCodes[0] }
  t.equal((await world.send('login')({ json })).status, 200, 'a recovery code of the owner')
})

void t.test('requires the password of an account without a factor, besides a fresh session', async (t) => {
  const world = await openWorld(service)
  const token = await (await world.person()).token()
  for (const id of ['beginTotp', 'beginPasskey', 'removeTotp'] as const) {
    t.same(outcomeOf(await sendChange(id, { world, token }, {})), { password: ['required'] }, id)
    const wrong = outcomeOf(await sendChange(id, { world, token }, { password: 'olive3kayak' }))
    t.same(wrong, { password: ['password_wrong'] }, id)
  }
  t.same(outcomeOf(await world.send('confirmTotp')({ token, json: { code: '000000' } })), 'totp_not_begun')
})

void t.test(
  'an owner adds a passkey with the password, and an app with the passkey once it is established',
  async (t) => {
    const world = await openWorld(service)
    const owner = await passkeyOwner(world)
    world.wait(7 * DAY_MS - 60_000)
    const login = { json: { email: owner.email, password: PASSWORD, code: owner.recoveryCodes[0] } }
    const young = tokensIn(await world.send('login')(login)).token
    const asYoung = await reauthenticationAssertion(world, { passkey: owner.passkey, token: young })
    t.same(outcomeOf(await sendChange('beginTotp', { world, token: young }, asYoung)), { password: ['required'] })
    world.wait(60_000)

    const token = young
    const refused = await sendChange('beginTotp', { world, token }, { password: PASSWORD })
    t.same([refused.status, refused.headers['mfa-methods']], [403, 'passkey, recovery_code'])
    const proof = await reauthenticationAssertion(world, { passkey: owner.passkey, token })
    const begun = await sendChange('beginTotp', { world, token }, proof)
    t.equal(begun.status, 200)
    t.same(outcomeOf(await sendChange('beginTotp', { world, token }, proof)), { credential: ['passkey_wrong'] }, 'once')
    const { secret } = begun.body.data as { secret: string }
    const json = { code: codeAt(secret, service.clock.nowMs()) }
    t.equal((await world.send('confirmTotp')({ token, json })).status, 200)

    world.wait(30_000)
    const byApp = { code: codeAt(secret, service.clock.nowMs()) }
    const removal = await sendChange('removePasskey', { world, token, passkeyId: owner.id }, byApp)
    t.same([removal.status, removal.headers['mfa-methods']], [403, 'passkey, recovery_code'], 'the app is younger')
  },
)

void t.test('an owner removes a lost app with a recovery code, which is used up and announced', async (t) => {
  const world = await openWorld(service)
  const { person, token, recoveryCodes } = await protectedPerson(world)
  const passkeyId = await storePasskey(world, person)
  await establish(world, person)
  const [code = ''] = recoveryCodes
  t.equal((await sendChange('removeTotp', { world, token }, { code: code.toLowerCase() })).status, 200)
  t.same(outcomeOf(await sendChange('removePasskey', { world, token, passkeyId }, { code })), { code: ['code_wrong'] })
  t.match((await world.send('getFactors')({ token })).body.data, { totp_added_at: null, recovery_codes_left: 9 })
  const events = (await eventsOf(world, person.id)).map(({ event }) => event)
  t.same(events.slice(-3), ['recovery_code_used', 'totp_removed', 'mfa_code_failed'])
  await settled(world)
  const subjects = (await mailsTo(world, person.email)).map(({ subject }) => subject)
  t.ok(subjects.includes('A recovery code was used'), subjects.join())
})

void t.test('an owner removes a factor that is an hour old, the only one, with the password', async (t) => {
  const world = await openWorld(service)
  const { person, nextCode } = await protectedPerson(world)
  world.wait(3_600_000)
  const json = { email: person.email, password: PASSWORD, code: nextCode() }
  const fresh = tokensIn(await world.send('login')({ json })).token
  const byCode = await sendChange('removeTotp', { world, token: fresh }, { code: nextCode() })
  t.same(outcomeOf(byCode), { password: ['required'] })
  t.equal((await sendChange('removeTotp', { world, token: fresh }, { password: PASSWORD })).status, 200)
  t.ok((await person.logIn()).token)
})

void t.test('accepts a code of an app once, and counts wrong codes like wrong passwords', async (t) => {
  const world = await openWorld(service)
  const { person, token, nextCode } = await protectedPerson(world)
  await establish(world, person)
  const code = nextCode()
  t.equal((await sendChange('beginTotp', { world, token }, { code })).status, 200)
  t.same(outcomeOf(await sendChange('beginTotp', { world, token }, { code })), { code: ['code_wrong'] })
  const login = { email: person.email, password: PASSWORD, code }
  t.equal((await world.send('login')({ json: login })).status, 401)
  for (let at = 0; at < 9; at++) t.equal((await sendChange('removeTotp', { world, token }, { code })).status, 422)
  const limited = await sendChange('removeTotp', { world, token }, { code: nextCode() })
  t.same([limited.status, limited.headers['error-code']], [429, 'rate_limited'])
})

void t.test('renewed recovery codes prove no removal of an older app', async (t) => {
  const world = await openWorld(service)
  const { person, token, nextCode, recoveryCodes } = await protectedPerson(world)
  await establish(world, person)
  const renewed = await sendChange('renewRecoveryCodes', { world, token }, { code: nextCode() })
  const { recovery_codes: codes } = renewed.body.data as { recovery_codes: string[] }
  for (const code of [codes[0], recoveryCodes[0]]) {
    const received = await sendChange('removeTotp', { world, token }, { code })
    t.same([received.status, received.headers['mfa-methods']], [403, 'totp'])
  }
})

void t.test('a secret and a challenge that the password began add nothing once a factor is established', async (t) => {
  const world = await openWorld(service)
  const { person, token } = await protectedPerson(world)
  const { secret } = await begin(world, token)
  const { json } = await newPasskey(world, token)
  await establish(world, person)
  const app = { token, json: { code: codeAt(secret, service.clock.nowMs()) } }
  t.same(outcomeOf(await world.send('confirmTotp')(app)), 'totp_not_begun')
  t.same(outcomeOf(await world.send('addPasskey')({ token, json })), { credential: ['passkey_wrong'] })
})

void t.test('another session does not confirm a secret', async (t) => {
  const world = await openWorld(service)
  const person = await world.person()
  const [one, other] = [await person.token(), await person.token()]
  const { secret } = await begin(world, one)
  const json = { code: codeAt(secret, service.clock.nowMs()) }
  t.same(outcomeOf(await world.send('confirmTotp')({ token: other, json })), 'totp_not_begun')
  t.equal((await world.send('confirmTotp')({ token: one, json })).status, 200)
})

void t.test('does not accept a password that was changed while the proof was verified', async (t) => {
  const world = await openWorld(service)
  const person = await world.person()
  const token = await person.token()
  const { factors } = service.app.context.store
  const bearer = service.app.context.tokens.read(token)
  const given = { proof: { method: 'password', passwordHash: 'another' }, auditEvents: [], mails: [] } as const
  await t.rejects(factors.prove(bearer, given), { code: 'invalid_data', fields: { password: ['password_wrong'] } })
  t.equal((await sendChange('beginTotp', { world, token }, BY_PASSWORD.json)).status, 200)
})
