// What honest owners do, and lose nothing by: the rules against thieves must not lock them out.
import t from 'tap'
import { loginAssertion, newPasskey } from '../../support/accounts/authenticator.ts'
import { newAddress, putEmail, verificationTo } from '../../support/accounts/emails.ts'
import { requestReset, RESET_MS } from '../../support/accounts/factor-resets.ts'
import { saudiNumber } from '../../support/accounts/registrations.ts'
import { codeFor, establishedPerson, mailsTo, resetBy, settled } from '../../support/accounts/resets.ts'
import { begin, codeAt, establish, protectedPerson } from '../../support/accounts/second-factors.ts'
import type { Received } from '../../support/service/responses.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, PASSWORD, tokensIn, type Person, type World } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PAUSE_MS = 120_000
const NEW_PASSWORD = 'olive-harbour-58-lantern'
const service = await openService()
const { prisma } = service.database
t.teardown(() => service.close())

const stored = (id: number): ReturnType<typeof prisma.account.findUniqueOrThrow> =>
  prisma.account.findUniqueOrThrow({ where: { id } })
const ago = (ms: number): Date => new Date(service.clock.nowMs() - ms)

function logIn(world: World, { email }: Pick<Person, 'email'>, more: object = {}): Promise<Received> {
  return world.send('login')({ json: { email, password: PASSWORD, ...more } })
}

async function addApp(world: World, token: string): Promise<string> {
  const { secret } = await begin(world, token)
  const { status } = await world.send('confirmTotp')({ token, json: { code: codeAt(secret, service.clock.nowMs()) } })
  if (status !== 200) throw new Error(`the app was not added: ${status}`)
  return secret
}

void t.test('a new number, and a logout of the other devices on the same day', async (t) => {
  const world = await openWorld(service)
  const owner = await establishedPerson(world)
  const [phone, other] = [await owner.token(), await owner.token()]
  const json = await saudiNumber(world)
  t.equal((await world.send('patchProfile')({ token: phone, json })).status, 200)
  t.equal((await world.send('revokeOtherSessions')({ token: phone })).status, 200)
  t.equal((await world.send('checkToken')({ token: other })).status, 401)
  world.wait(73 * HOUR_MS)
  t.equal(await resetBy.phone(world, { ...owner, phone: json.phone }), 200, 'the new number recovers the account')
})

void t.test('a lost app, with the recovery codes at hand', async (t) => {
  const world = await openWorld(service)
  const { person, recoveryCodes } = await protectedPerson(world, await establishedPerson(world))
  await establish(world, person)
  const [first, second] = recoveryCodes
  const { token } = tokensIn(await logIn(world, person, { code: first }))
  t.equal((await world.send('removeTotp')({ token, json: { code: second } })).status, 200)
  const secret = await addApp(world, token)
  world.wait(30_000)
  t.equal((await logIn(world, person, { code: codeAt(secret, service.clock.nowMs()) })).status, 200)
})

void t.test('a lost phone that held the SIM and the app: a new SIM and the mailbox reset the factors', async (t) => {
  const world = await openWorld(service)
  const { person } = await protectedPerson(world, await establishedPerson(world))
  await establish(world, person)
  const { token, otp } = await requestReset(world, person)
  t.equal((await world.send('confirmFactorReset')({ json: { token, otp } })).status, 202)
  world.wait(RESET_MS + 1000)
  const session = tokensIn(await logIn(world, person)).token
  await addApp(world, session)
  t.match(await stored(person.id), { email: person.email, status: 'active' })
})

void t.test('an address that was mistyped at the registration', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  const [token, right] = [await owner.token(), newAddress()]
  await putEmail(world, owner, token, right)
  const verification = await verificationTo(world, right)
  const confirmed = await world.send('confirmEmail')({ token, json: { by: 'token', token: verification.token } })
  t.equal(confirmed.status, 200)
  t.equal(await resetBy.phone(world, owner), 200)
  world.wait(73 * HOUR_MS)
  t.equal(await resetBy.email(world, { ...owner, email: right }), 200)
  t.not(await resetBy.email(world, owner), 200, 'the address of the stranger')
})

void t.test('a number that a family shares belongs to the account that has verified it', async (t) => {
  const world = await openWorld(service)
  const owner = await establishedPerson(world)
  const token = await owner.token()
  const relative = await world.person({ isEmailVerified: false })
  const form = { phone_code: '966', phone: owner.phone }
  t.equal((await world.send('checkPhone')({ form })).status, 422)
  const json = { ...form, otp: '000000' }
  t.equal((await world.send('patchProfile')({ token: await relative.token(), json })).status, 422)
  t.equal((await world.send('checkToken')({ token })).status, 200)
  t.equal(await resetBy.phone(world, owner), 200)
})

void t.test('a recycled number gives its new holder nothing but a notice', async (t) => {
  const { smsReset } = service.app.context
  service.app.context.smsReset = 'unless-email-verified'
  const world = await openWorld(service)
  const owner = await establishedPerson(world)
  const token = await owner.token()
  await prisma.account.update({ where: { id: owner.id }, data: { phoneVerifiedAt: ago(900 * DAY_MS) } })
  t.not(await resetBy.phone(world, owner), 200, 'the new holder')
  t.equal((await world.send('checkToken')({ token })).status, 200)
  t.equal((await logIn(world, owner)).status, 200)
  service.app.context.smsReset = smsReset
})

void t.test('a first address that is verified years after the number', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  const years = { createdAt: ago(900 * DAY_MS), phoneVerifiedAt: ago(900 * DAY_MS) }
  await prisma.account.update({ where: { id: owner.id }, data: years })
  const token = await owner.token()
  await world.send('requestEmailVerification')({ token, json: {} })
  const verification = await verificationTo(world, owner.email)
  const confirmed = await world.send('confirmEmail')({ token, json: { by: 'token', token: verification.token } })
  t.equal(confirmed.status, 200)
  t.equal(await resetBy.email(world, owner), 200)
  world.wait(PAUSE_MS)
  t.equal(await resetBy.phone(world, owner), 200, 'the number recovers the account as before')
})

void t.test('a new passkey, and the old app removed on the same day', async (t) => {
  const world = await openWorld(service)
  const { person, token, nextCode, recoveryCodes } = await protectedPerson(world, await establishedPerson(world))
  await establish(world, person)
  const { passkey, json } = await newPasskey(world, token, {}, { code: nextCode() })
  t.equal((await world.send('addPasskey')({ token, json })).status, 201)
  t.equal((await world.send('removeTotp')({ token, json: { code: nextCode() } })).status, 200)
  const assertion = await loginAssertion(world, passkey)
  t.equal((await world.send('loginWithPasskey')({ json: assertion })).status, 200)
  t.equal((await logIn(world, person, { code: recoveryCodes[0] })).status, 200)
})

void t.test('an administrator who is granted after the app was added logs in as before', async (t) => {
  const world = await openWorld(service)
  const { person, nextCode, recoveryCodes } = await protectedPerson(world, await establishedPerson(world))
  await establish(world, person)
  const auditContext = { subject: null, address: null, requestId: null }
  const action = { accountId: person.id, actor: 'command line', reason: 'test', auditContext } as const
  await service.app.context.store.administration.setAdmin(action, true)
  t.equal((await logIn(world, person, { code: nextCode() })).status, 200)
  t.equal((await logIn(world, person, { code: recoveryCodes[0] })).status, 200)
})

void t.test('an owner who undoes a change by mistake makes it again', async (t) => {
  const world = await openWorld(service)
  const owner = await establishedPerson(world)
  await prisma.account.update({ where: { id: owner.id }, data: { phoneVerifiedAt: ago(60 * DAY_MS) } })
  const { email, phone, phoneVerifiedAt, emailVerifiedAt } = await stored(owner.id)
  const add = async (token: string, password: string): Promise<string[]> => {
    const { json } = await newPasskey(world, token, {}, { password })
    t.equal((await world.send('addPasskey')({ token, json })).status, 201)
    return (await mailsTo(world, owner.email)).flatMap(({ text }) => /^[\w-]{43}$/m.exec(text)?.[0] ?? [])
  }
  const [link] = await add(await owner.token(), PASSWORD)
  t.equal((await world.send('undoChanges')({ json: { by: 'token', token: link } })).status, 200)
  t.match(await stored(owner.id), { email, phone, phoneVerifiedAt, emailVerifiedAt, factorsSince: null })
  const [reset] = (await mailsTo(world, owner.email)).flatMap(({ text }) => /^[\w-]{43}$/m.exec(text)?.[0] ?? [])
  const json = { by: 'email', token: reset, password: NEW_PASSWORD }
  t.equal((await world.send('resetPassword')({ json })).status, 200)
  await add(tokensIn(await logIn(world, owner, { password: NEW_PASSWORD })).token, NEW_PASSWORD)
})

void t.test('two devices of an owner that change things at once', async (t) => {
  const world = await openWorld(service)
  const owner = await establishedPerson(world)
  const [one, other] = [await owner.token(), await owner.token()]
  const number = await saudiNumber(world)
  const name = { name: 'Noura Salem' }
  const statuses = await Promise.all([
    world.send('patchProfile')({ token: one, json: number }),
    world.send('patchProfile')({ token: other, raw: JSON.stringify(name), type: 'application/merge-patch+json' }),
  ])
  t.same(
    statuses.map(({ status }) => status),
    [200, 200],
  )
  await settled(world)
  const account = await stored(owner.id)
  t.equal(account.phone.slice(-9), number.phone.slice(-9))
  const { name: storedName } = await prisma.profile.findUniqueOrThrow({ where: { accountId: owner.id } })
  t.equal(storedName, name.name)
  for (const token of [one, other]) t.equal((await world.send('checkToken')({ token })).status, 200)
  t.equal(await codeFor(world, owner.phone), '', 'the number before has received a notice only')
})
