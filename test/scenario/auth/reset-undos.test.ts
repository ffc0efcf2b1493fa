// The owner of the address undoes a reset that an attacker made with the number, on two instances.
import t, { type Test } from 'tap'
import { openApp } from '../../../src/app.ts'
import { LIMITS } from '../../../generated/limits.ts'
import { newAddress } from '../../support/accounts/emails.ts'
import { saudiNumber } from '../../support/accounts/registrations.ts'
import { codeFor, establishedPerson, resetBy, resetTokenFor, settled, tokenFor } from '../../support/accounts/resets.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, type Person, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const HOLD_MS = LIMITS.recovery.hold_hours * 3_600_000
/** The longest delay between codes to one number */
const COOLDOWN_MS = Math.max(...LIMITS.otp.cooldown_seconds) * 1000
const ROUNDS = raceRounds(100)

const service = await sharedService()
const second = await openApp(service.config, service.dependencies)
const { mail, sms, smsNotices } = service.app.context
Object.assign(second.context.mail, mail) // either may send an e-mail of the other
Object.assign(second.context, { sms, smsNotices })
t.teardown(() => second.close())
const secondOrigin = await second.server.listen({ host: '127.0.0.1', port: 0 })
const there = (world: World, id: Parameters<World['send']>[0]): Send => sender(secondOrigin, id, world.address)

const undo = async (world: World, token: string): Promise<number> =>
  (await there(world, 'undoChanges')({ json: { by: 'token', token } })).status

/** Returns the texts to the number of a person, newest first, after the background tasks of both instances. */
async function textsTo(world: World, { phone }: Person): Promise<string[]> {
  await second.context.background.settle(20_000)
  await settled(world)
  return world.textsTo(phone)
}

/** Whether a request for a code to the number of a person, after the delay between codes, is answered by an SMS with one */
async function getsCode(world: World, person: Person): Promise<boolean> {
  const codes = async (): Promise<number> =>
    (await textsTo(world, person)).filter((text) => text.includes('NEW PASSWORD')).length
  world.wait(COOLDOWN_MS)
  const before = await codes()
  await there(world, 'requestPasswordReset')({ json: { by: 'phone', phone: person.phone, phone_code: '966' } })
  return (await codes()) > before
}

async function attackersSession(world: World, { email }: Person): Promise<string> {
  const login = await world.send('login')({ json: { email, password: resetBy.password } })
  return String((login.body.data as { account?: { token?: string } }).account?.token)
}

async function isOut(t: Test, world: World, person: Person, token: string): Promise<void> {
  t.equal((await there(world, 'checkToken')({ token })).status, 401, 'the session of the attacker has ended')
  for (const password of [PASSWORD, resetBy.password])
    t.equal(
      (await world.send('login')({ json: { email: person.email, password } })).status,
      401,
      'no password is valid',
    )
}

void t.test('undoes a reset with a stolen number, which then cannot reset the password for 72 hours', async (t) => {
  const world = await openWorld()
  const person = await establishedPerson(world)
  t.equal(await resetBy.phone(world, person), 200)
  const token = await attackersSession(world, person)
  t.equal(await undo(world, await tokenFor(world, person.email)), 200)
  await isOut(t, world, person, token)
  t.match((await textsTo(world, person))[0], 'undone by e-mail', 'the number gets a notice')

  t.notOk(await getsCode(world, person))
  t.equal(await resetBy.email(world, person), 200, 'the owner sets a new password')
  t.match((await textsTo(world, person))[0], 'was reset by e-mail')
  world.wait(HOLD_MS - 4 * COOLDOWN_MS)
  t.notOk(await getsCode(world, person))
  world.wait(4 * COOLDOWN_MS)
  t.ok(await getsCode(world, person), 'the number recovers the account again')
})

void t.test('suspends a stolen number also if the owner resets the password without undoing', async (t) => {
  const world = await openWorld()
  const person = await establishedPerson(world)
  t.equal(await resetBy.phone(world, person), 200)
  const undoToken = await tokenFor(world, person.email)
  const token = await attackersSession(world, person)
  t.equal(await resetBy.email(world, person), 200)
  t.equal((await there(world, 'checkToken')({ token })).status, 401)
  t.notOk(await getsCode(world, person), 'the attacker gets no code')
  t.equal(await undo(world, undoToken), 422)
  world.wait(HOLD_MS)
  t.ok(await getsCode(world, person), 'the number recovers the account again')
})

void t.test('sends the number nothing that undoes a reset by e-mail, and does not suspend it', async (t) => {
  const world = await openWorld()
  const person = await establishedPerson(world)
  t.equal(await resetBy.email(world, person), 200)
  const [notice = ''] = await textsTo(world, person)
  t.match(notice, 'was reset by e-mail')
  t.equal(await service.database.prisma.emailToken.count({ where: { accountId: person.id } }), 0)
  t.ok(await getsCode(world, person))
})

void t.test('undoes a reset after the attacker has changed the password and the address', async (t) => {
  const world = await openWorld()
  const person = await establishedPerson(world)
  await resetBy.phone(world, person)
  const undoToken = await tokenFor(world, person.email)
  const token = await attackersSession(world, person)
  const json = { current_password: resetBy.password, new_password: 'a third horse battery' }
  const changed = await world.send('changePassword')({ json, token })
  t.equal(changed.status, 200)
  const raw = JSON.stringify({ email: newAddress() })
  const { token: later } = (changed.body.data as { account: { token: string } }).account
  const type = 'application/merge-patch+json'
  t.equal((await world.send('patchProfile')({ raw, type, token: later })).status, 200)
  t.equal(await undo(world, undoToken), 200)
  t.equal((await there(world, 'checkToken')({ token: later })).status, 401)
  const { prisma } = service.database
  t.equal((await prisma.account.findUniqueOrThrow({ where: { id: person.id } })).pendingEmail, null)
  t.equal(await resetBy.email(world, person), 200)
})

/** Replaces the number of an account with a verified one, in the session of an attacker. */
async function replacePhone(world: World, person: Person): Promise<Person> {
  const json = await saudiNumber(world)
  const token = await attackersSession(world, person)
  const { status } = await world.send('patchProfile')({ token, json })
  if (status !== 200) throw new Error(`the number was not replaced: ${status}`)
  return { ...person, phone: json.phone }
}

/** How long after the reset the number is replaced, and how long after that the reset is undone */
const REPLACED: Record<string, [number, number]> = {
  'soon, undone soon': [0, COOLDOWN_MS],
  'soon, undone late': [0, HOLD_MS + COOLDOWN_MS],
  'late, undone soon': [HOLD_MS + COOLDOWN_MS, COOLDOWN_MS],
  'late, undone late': [HOLD_MS + COOLDOWN_MS, HOLD_MS + COOLDOWN_MS],
}

for (const [title, [replacedMs, undoneMs]] of Object.entries(REPLACED)) {
  void t.test(`leaves an attacker neither number who has replaced it ${title}`, async (t) => {
    const world = await openWorld()
    const person = await establishedPerson(world)
    t.equal(await resetBy.phone(world, person), 200)
    const undoToken = await tokenFor(world, person.email)
    world.wait(replacedMs)
    const replaced = await replacePhone(world, person)
    world.wait(undoneMs)
    t.equal(await undo(world, undoToken), 200)
    for (const each of [person, replaced]) t.notOk(await getsCode(world, each), 'no code at once')
    world.wait(HOLD_MS + COOLDOWN_MS)
    t.notOk(await getsCode(world, replaced), 'no code after 72 hours')
    t.equal(await resetBy.email(world, person), 200, 'the owner sets a new password')
  })
}

void t.test('ends all tokens when both identifiers reset the password of an unverified address', async (t) => {
  const world = await openWorld()
  const person = await establishedPerson(world)
  await resetBy.phone(world, person)
  const token = await tokenFor(world, person.email)
  await service.database.prisma.account.update({ where: { id: person.id }, data: { emailVerifiedAt: null } })
  world.wait(61_000)
  t.equal(await resetBy.email(world, person), 422)
  const otp = await codeFor(world, person.phone)
  const json = { by: 'email', token: await resetTokenFor(world, person.email), otp, password: resetBy.password }
  t.equal((await world.send('resetPassword')({ json })).status, 200)
  t.equal(await undo(world, token), 422)
})

const UNDO_MS = LIMITS.email.undo_days * 24 * 3_600_000

for (const [title, isOlder, enoughMs] of [
  ['sends no token to an address that was verified before the number, and less than 72 hours ago', true, HOLD_MS],
  ['sends no token to an address that was verified after the number, and less than 7 days ago', false, UNDO_MS],
] as const) {
  void t.test(title, async (t) => {
    for (const isEnough of [false, true]) {
      const emailVerifiedAt = new Date(Date.now() - enoughMs + (isEnough ? -1000 : 60_000))
      const world = await openWorld()
      const person = await establishedPerson(world)
      const data = { emailVerifiedAt, ...(isOlder && { phoneVerifiedAt: new Date() }) }
      await service.database.prisma.account.update({ where: { id: person.id }, data })
      await resetBy.phone(world, person)
      t.equal((await tokenFor(world, person.email)) !== '', isEnough)
    }
  })
}

void t.test('sends no token to an address that is suspended from recovery', async (t) => {
  const world = await openWorld()
  const person = await establishedPerson(world)
  const data = { emailRecoversFrom: new Date(Date.now() + 60_000) }
  await service.database.prisma.account.update({ where: { id: person.id }, data })
  await resetBy.phone(world, person)
  t.equal(await tokenFor(world, person.email), '')
})

void t.test('sends no second SMS for a reset that used a code', async (t) => {
  const world = await openWorld()
  const person = await world.person({ isEmailVerified: false })
  t.equal(await resetBy.email(world, person), 422)
  const otp = await codeFor(world, person.phone)
  t.match(otp, /^\d{6}$/)
  t.equal(world.textsTo(person.phone).length, 1)
})

void t.test(`leaves the attacker nothing when a reset by phone and its undo cross, ${ROUNDS} times`, async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await openWorld()
    const person = await establishedPerson(world)
    await resetBy.phone(world, person)
    const undoToken = await tokenFor(world, person.email)
    const token = await attackersSession(world, person)
    const number = { phone: person.phone, phone_code: '966' }
    world.wait(61_000)
    await world.send('requestPasswordReset')({ json: { by: 'phone', ...number } })
    const json = { by: 'phone', ...number, otp: await codeFor(world, person.phone), password: resetBy.password }
    const [undone, again] = await Promise.all([
      undo(world, undoToken),
      world
        .send('resetPassword')({ json })
        .then(({ status }) => status),
    ])
    t.equal(undone, 200)
    t.ok([200, 422].includes(again), String(again))
    await isOut(t, world, person, token)
  }
})
