// Recovery works for the verified owner of the e-mail address or the phone number, on two instances.
import t from 'tap'
import { openApp } from '../../../src/app.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { LIMITS } from '../../../generated/limits.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration, NEW_PASSWORD, saudiNumber } from '../../support/accounts/registrations.ts'
import { newAddress, putEmail, SUBJECTS, tokensTo, verificationTo } from '../../support/accounts/emails.ts'
import { codeFor, mailsTo, resetTokenFor, settled, tokenFor } from '../../support/accounts/resets.ts'
import { establish, protect } from '../../support/accounts/second-factors.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const HOUR_MS = 3_600_000
/** The cooldown after the code of a registration */
const COOLDOWN_MS = 60_000
const ROUNDS = raceRounds(50)
const OWN_PASSWORD = 'a third horse battery'

const { app, config, database, dependencies } = await sharedService()
const second = await openApp(config, dependencies)
Object.assign(second.context.mail, app.context.mail) // either may send an e-mail of the other
t.teardown(() => second.close())
const secondOrigin = await second.server.listen({ host: '127.0.0.1', port: 0 })
const { prisma } = database

/** The other instance, from another address */
function there(world: World, id: OperationId): Send {
  return sender(secondOrigin, id, world.address.replace(/^10/, '11'))
}

async function requestByEmail(world: World, email: string): Promise<string> {
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  return resetTokenFor(world, email)
}

/** Requests a reset by SMS; returns the code that was sent to the Saudi number, or an empty string. */
async function requestByPhone(world: World, phone: string): Promise<string> {
  await settled(world) // notices to the number arrive before the code
  const before = world.textsTo(phone).length
  await world.send('requestPasswordReset')({ json: { by: 'phone', phone_code: '966', phone } })
  const code = await codeFor(world, phone)
  return world.textsTo(phone).length > before ? code : ''
}

function resetByEmail(world: World, token: string, more: object = {}): ReturnType<Send> {
  return there(world, 'resetPassword')({ json: { by: 'email', token, password: OWN_PASSWORD, ...more } })
}

function resetByPhone(world: World, phone: string, otp: string, code = '966'): ReturnType<Send> {
  const whose = { by: 'phone', phone_code: code, phone }
  return there(world, 'resetPassword')({ json: { ...whose, otp, password: OWN_PASSWORD } })
}

async function canLogIn(world: World, email: string, password: string): Promise<boolean> {
  return (await there(world, 'login')({ json: { email, password } })).status === 200
}

/** An account that was registered with another person's address and the registrant's own number */
async function registered(world: World, more: object = {}): Promise<Person & { session: string }> {
  const number = await saudiNumber(world)
  const form = clientRegistration({ ...number, ...more })
  const response = await world.send('register')({ form })
  await settled(world) // the registration e-mail arrives before those of the test
  const { email = '' } = form
  const { id } = await prisma.account.findUniqueOrThrow({ where: { email } })
  const session = tokensIn(response).token
  return { id, email, phone: number.phone, session, token: async () => session, logIn: async () => tokensIn(response) }
}

type Stored = Awaited<ReturnType<typeof prisma.account.findUniqueOrThrow>>

async function stored(id: number): Promise<Stored> {
  return prisma.account.findUniqueOrThrow({ where: { id } })
}

/** Changes the number of a person to another one, verified by its code. */
async function changePhone(world: World, person: Person, token: string): Promise<string> {
  const { phone, otp } = await saudiNumber(world)
  const response = await world.send('updateProfile')({ token, form: clientForm({ ...person, phone }, { otp }) })
  if (response.status !== 200) throw new Error(JSON.stringify(response.body))
  await settled(world) // the notice to the old number arrives before any code
  return phone
}

/** Opens the link of the registration, in a session or without one. */
async function openLink(world: World, { email }: Person, session?: string): Promise<void> {
  const { token } = await verificationTo(world, email)
  const opened = await there(
    world,
    'confirmEmail',
  )({ json: { by: 'token', token }, ...(session && { token: session }) })
  if (opened.status !== 200) throw new Error(JSON.stringify(opened.body))
}

const NO_NUMBER = { phoneVerifiedAt: null, phoneRecoversFrom: null }

/** What a registrant has beside an address whose link another person opens, and what a reset by the address says */
const BESIDE: Readonly<Record<string, [make: (world: World, made: Person) => Promise<unknown>, codes: object | null]>> =
  {
    'a number': [async () => undefined, { otp: ['required'] }],
    'a number and a factor': [protectEstablished, { otp: ['required'] }],
    'a factor': [
      async (world, made) => {
        await protectEstablished(world, made)
        await prisma.account.update({ where: { id: made.id }, data: NO_NUMBER })
      },
      { token: ['reset_phone_missing'] },
    ],
    'a young factor': [
      async (world, made) => {
        await protect(world, made)
        await prisma.account.update({ where: { id: made.id }, data: NO_NUMBER })
      },
      null,
    ],
    'a number that is not verified': [
      (_, made) => prisma.account.update({ where: { id: made.id }, data: NO_NUMBER }),
      null,
    ],
  }

async function protectEstablished(world: World, made: Person): Promise<void> {
  await protect(world, made)
  await establish(world, made)
}

for (const [name, [make, codes]] of Object.entries(BESIDE)) {
  void t.test(`a link without a session beside ${name} ${codes ? 'releases' : 'recovers'} an address`, async (t) => {
    const world = await openWorld()
    const made = await registered(world)
    await make(world, made)
    await openLink(world, made)
    const token = await requestByEmail(world, made.email)
    world.wait(COOLDOWN_MS)
    const reset = await resetByEmail(world, token)
    if (!codes) {
      t.equal(reset.status, 200)
      t.ok(await canLogIn(world, made.email, OWN_PASSWORD), 'no factor of the registrant remains')
      return
    }
    t.same(reset.body.data.codes, codes)
    t.equal((await there(world, 'releaseEmail')({ json: { token } })).status, 200)
    t.equal((await there(world, 'register')({ form: clientRegistration({ email: made.email }) })).status, 201)
  })
}

void t.test('a stranger whose mistyped address was registered keeps nothing after it is corrected', async (t) => {
  const world = await openWorld()
  const made = await registered(world)
  await openLink(world, made)
  world.wait(2 * HOUR_MS)
  const email = newAddress()
  const { token } = tokensIn(await world.send('login')({ json: { email: made.email, password: NEW_PASSWORD } }))
  await putEmail(world, made, token, email)
  t.same(await tokensTo(world, made.email, SUBJECTS.change), [], 'no link that cancels the change')
  const early = await requestByEmail(world, made.email)
  t.same((await resetByEmail(world, early)).body.data.codes, { otp: ['required'] })
  const { token: confirm } = await verificationTo(world, email)
  t.equal((await world.send('confirmEmail')({ token, json: { by: 'token', token: confirm } })).status, 200)
  t.same(await tokensTo(world, made.email, SUBJECTS.changed), [], 'no link that undoes it')
  world.wait(HOUR_MS)
  t.equal((await resetByEmail(world, await requestByEmail(world, made.email))).status, 422)
  t.equal((await stored(made.id)).email, email)
})

void t.test('a new address whose link a stranger opens needs a code after its waiting period, too', async (t) => {
  for (const isOwn of [false, true]) {
    const world = await openWorld()
    const person = await world.person({ isEmailVerified: true })
    const [session, email] = [await person.token(), newAddress()]
    await putEmail(world, person, session, email)
    const { token } = await verificationTo(world, email)
    const json = { by: 'token', token }
    t.equal((await there(world, 'confirmEmail')({ json, ...(isOwn && { token: session }) })).status, 200)
    await settled(world)
    world.wait(80 * HOUR_MS)
    t.equal((await resetByEmail(world, await requestByEmail(world, email))).status, isOwn ? 200 : 422)
  }
})

void t.test(
  'an address that only a link has verified undoes no reset by phone, and no factor relies on it',
  async (t) => {
    for (const isOwn of [false, true]) {
      const world = await openWorld()
      const made = await registered(world)
      await openLink(world, made, isOwn ? made.session : undefined)
      await prisma.account.update({ where: { id: made.id }, data: NO_NUMBER })
      const begun = await world.send('beginTotp')({ token: made.session, json: { password: NEW_PASSWORD } })
      t.equal(begun.status, isOwn ? 200 : 409)

      const { createdAt } = await stored(made.id)
      await prisma.account.update({
        where: { id: made.id },
        data: { phoneVerifiedAt: createdAt, phoneRecoversFrom: createdAt },
      })
      world.wait(170 * HOUR_MS) // an address that is younger than the number undoes a reset by it after 7 days
      const otp = await requestByPhone(world, made.phone)
      t.equal((await resetByPhone(world, made.phone, otp)).status, 200)
      t.equal(await prisma.emailToken.count({ where: { accountId: made.id, purpose: 'undo_reset' } }), isOwn ? 1 : 0)
    }
  },
)

void t.test('an address that only a link has verified needs a code while the number waits, too', async (t) => {
  const world = await openWorld()
  const made = await registered(world)
  await openLink(world, made)
  world.wait(COOLDOWN_MS)
  await changePhone(world, made, made.session)
  const refused = await resetByEmail(world, await requestByEmail(world, made.email))
  t.same(refused.body.data.codes, { token: ['reset_phone_missing'] })
})

void t.test('recovers an account by its address alone once a session has opened a link, too', async (t) => {
  const world = await openWorld()
  const made = await registered(world)
  await openLink(world, made)
  const { emailVerifiedAt } = await stored(made.id)
  world.wait(COOLDOWN_MS)
  t.equal((await world.send('requestEmailVerification')({ token: made.session, json: {} })).status, 200)
  await openLink(world, made, made.session)
  t.match(await stored(made.id), { emailVerifiedAt, emailByLink: false })
  t.equal((await resetByEmail(world, await requestByEmail(world, made.email))).status, 200)
  t.ok(await canLogIn(world, made.email, OWN_PASSWORD))
})

void t.test('recovers an account by a link without a session together with a code to its number', async (t) => {
  const world = await openWorld()
  const made = await registered(world)
  await openLink(world, made)
  world.wait(COOLDOWN_MS)
  const token = await requestByEmail(world, made.email)
  const otp = await requestByPhone(world, made.phone)
  t.equal((await resetByEmail(world, token, { otp })).status, 200)
  t.match(await stored(made.id), { emailByLink: false }, 'who has both is the owner')
})

void t.test('gives an account to the owner of its address after a confirmation', async (t) => {
  const world = await openWorld()
  const made = await registered(world)
  const { createdAt } = await stored(made.id)
  world.wait(COOLDOWN_MS)
  const proof = { emailVerifiedAt: createdAt, emailRecoversFrom: createdAt }
  await prisma.account.update({ where: { id: made.id }, data: proof })
  const early = await requestByPhone(world, made.phone)
  t.match(early, /^\d{6}$/, 'the number recovers the account before')

  t.equal((await resetByEmail(world, await requestByEmail(world, made.email))).status, 200)
  t.equal((await world.send('checkToken')({ token: made.session })).status, 401)
  t.same((await resetByPhone(world, made.phone, early)).body.data.codes, { otp: ['otp_wrong'] })
  world.wait(HOUR_MS)
  t.equal(await requestByPhone(world, made.phone), '', 'nothing is sent to the number for 72 hours')
  t.ok((await stored(made.id)).phoneVerifiedAt)
  t.ok(await canLogIn(world, made.email, OWN_PASSWORD))
})

void t.test('lets the owner of an unverified address release it and register', async (t) => {
  const world = await openWorld()
  const made = await registered(world)
  const token = await requestByEmail(world, made.email)
  world.wait(COOLDOWN_MS)
  t.same((await resetByEmail(world, token)).body.data.codes, { otp: ['required'] }, 'the token alone is rejected')
  t.equal((await there(world, 'releaseEmail')({ json: { token } })).status, 200)
  const own = clientRegistration({ email: made.email })
  const owned = await there(world, 'register')({ form: own })
  t.equal(owned.status, 201)

  world.wait(HOUR_MS)
  const otp = await requestByPhone(world, made.phone)
  t.equal(
    (await resetByPhone(world, made.phone, otp)).status,
    200,
    'the registrant recovers the account without the address',
  )
  t.match((await stored(made.id)).email, /^account-\d+-[0-9a-f]{8}@released\.invalid$/)
  t.ok(await canLogIn(world, made.email, NEW_PASSWORD), 'the account of the owner is a separate one')
  t.notOk(await canLogIn(world, made.email, OWN_PASSWORD))
})

void t.test('does not give an account to the owner of a mistyped address', async (t) => {
  const world = await openWorld()
  const victim = await registered(world)
  const token = await requestByEmail(world, victim.email)
  t.match((await mailsTo(world, victim.email))[0]?.subject, 'Is this your account?')
  world.wait(COOLDOWN_MS)
  t.same((await resetByEmail(world, token)).body.data.codes, { otp: ['required'] })
  const code = /\d{6}/.exec(
    second.outbox?.messages.find(({ to }) => to === `+966${victim.phone.slice(1)}`)?.text ?? '',
  )?.[0]
  t.match(code, /^\d{6}$/, 'the code goes to the number of the account')
  for (let tries = 0; tries < 5; tries++) {
    const otp = String((Number(code) + tries + 1) % 1_000_000).padStart(6, '0')
    t.equal((await resetByEmail(world, token, { otp })).status, 422)
  }
  t.equal((await resetByEmail(world, token, { otp: code })).status, 429)
  t.equal((await world.send('checkToken')({ token: victim.session })).status, 200)
  t.equal((await there(world, 'releaseEmail')({ json: { token } })).status, 200)
  t.equal((await world.send('getProfile')({ token: victim.session })).status, 401, 'the sessions end')
  const { email } = await stored(victim.id)
  t.ok(await canLogIn(world, email, NEW_PASSWORD), 'the user logs in with the new address')
})

void t.test('recovers an account by an unverified address together with an SMS code', async (t) => {
  const world = await openWorld()
  const person = await world.person({ isEmailVerified: false })
  const token = await requestByEmail(world, person.email)
  const otp = await requestByPhone(world, person.phone)
  const other = await world.person()
  const otherCode = await requestByPhone(world, other.phone)
  t.equal((await resetByEmail(world, token, { otp: otherCode })).status, 422, 'a code of another number')
  t.equal((await resetByEmail(world, token, { otp })).status, 200)
  const { emailVerifiedAt, emailRecoversFrom, phoneRecoversFrom } = await stored(person.id)
  t.ok(emailVerifiedAt && emailRecoversFrom && phoneRecoversFrom)
  t.ok(await canLogIn(world, person.email, OWN_PASSWORD))
})

void t.test('only releases an unverified address without a recovery number', async (t) => {
  const world = await openWorld()
  const person = await world.person({ isEmailVerified: false, isPhoneVerified: false })
  const token = await requestByEmail(world, person.email)
  const refused = await resetByEmail(world, token, { otp: '123456' })
  t.same(refused.body.data.codes, { token: ['reset_phone_missing'] })
  const thief = await world.person({ isEmailVerified: false })
  await changePhone(world, thief, await thief.token())
  const early = await resetByEmail(world, await requestByEmail(world, thief.email))
  t.same(
    early.body.data.codes,
    { token: ['reset_phone_missing'] },
    'a number that was verified less than 72 hours ago does not help',
  )
})

void t.test('returns the same response for addresses that cannot recover an account', async (t) => {
  const world = await openWorld()
  for (const emailRecoversFrom of [null, new Date(Date.now() + HOUR_MS)]) {
    const person = await world.person()
    const known = await requestByEmail(world, person.email)
    await prisma.account.update({ where: { id: person.id }, data: { emailRecoversFrom } })
    await prisma.passwordReset.findFirstOrThrow({ where: { accountId: person.id } })
    t.equal((await resetByEmail(world, known)).status, 422, 'a token that was sent before')
    const before = (await mailsTo(world, person.email)).length
    const response = await world.send('requestPasswordReset')({ json: { by: 'email', email: person.email } })
    t.equal(response.status, 202)
    t.equal((await mailsTo(world, person.email)).length, before)
  }
})

function foreignCode(to: string): string {
  const sent = second.outbox?.messages.find((message) => message.to === to)
  return /\d{6}/.exec(sent?.text ?? '')?.[0] ?? ''
}

void t.test('frees a squatted foreign number for its owner', async (t) => {
  const world = await openWorld()
  const squatter = clientRegistration()
  t.equal((await world.send('register')({ form: squatter })).status, 201)
  const { phone = '', phone_code = '' } = squatter
  const e164 = `+20${phone.slice(1)}`
  await there(world, 'requestPasswordReset')({ json: { by: 'phone', phone, phone_code } })
  await second.context.background.settle()
  t.equal(foreignCode(e164), '', 'a number that was never verified is sent no reset')

  world.wait(61_000) // between two requests for one number
  t.equal((await there(world, 'checkPhone')({ form: { phone, phone_code } })).status, 200)
  const otp = foreignCode(e164)
  const owner = clientRegistration({ phone, phone_code, otp })
  const response = await there(world, 'register')({ form: owner })
  t.equal(response.status, 201)
  const { body } = await there(world, 'getProfile')({ token: tokensIn(response).token })
  t.equal(body.data.user.phone_verified, true)
  t.same((await world.send('register')({ form: clientRegistration({ phone, phone_code }) })).body.data.codes, {
    phone: ['phone_taken'],
  })
  world.wait(HOUR_MS)
  await there(world, 'requestPasswordReset')({ json: { by: 'phone', phone, phone_code } })
  await second.context.background.settle()
  t.equal((await resetByPhone(world, phone, foreignCode(e164), '20')).status, 200)
  t.ok(await canLogIn(world, owner['email'] ?? '', OWN_PASSWORD), 'the account of the owner')
  t.ok(await canLogIn(world, squatter['email'] ?? '', NEW_PASSWORD), 'that of the squatter has its password')
})

/** The person's identifiers were verified so many hours ago. */
async function verifiedAgo(id: number, hours: { email: number; phone: number }): Promise<void> {
  const ago = (each: number): Date => new Date(Date.now() - each * HOUR_MS)
  const [emailVerifiedAt, phoneVerifiedAt] = [ago(hours.email), ago(hours.phone)]
  const recovers = { emailRecoversFrom: emailVerifiedAt, phoneRecoversFrom: phoneVerifiedAt }
  await prisma.account.update({ where: { id }, data: { emailVerifiedAt, phoneVerifiedAt, ...recovers } })
}

void t.test('leaves an address that was verified long ago able to recover after a reset by SMS', async (t) => {
  for (const phone of [100, 1000, 1]) {
    const world = await openWorld()
    const person = await world.person()
    await verifiedAgo(person.id, { email: 73, phone })
    t.equal((await resetByPhone(world, person.phone, await requestByPhone(world, person.phone))).status, 200)
    t.equal((await resetByEmail(world, await requestByEmail(world, person.email))).status, 200)
    const where = { accountId: person.id, event: 'password_reset' }
    const events = await prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } })
    t.same(
      events.map(({ subject }) => subject?.[0]),
      ['+', 'p'],
      'the audit trail has the channel of each',
    )
  }
})

void t.test('suspends an address that was verified within 72 hours for 72 hours after a reset by SMS', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  await verifiedAgo(person.id, { email: 71, phone: 1 })
  t.equal((await resetByPhone(world, person.phone, await requestByPhone(world, person.phone))).status, 200)
  t.equal(await requestByEmail(world, person.email), '')
  world.wait(72 * HOUR_MS - 60_000)
  t.equal(await requestByEmail(world, person.email), '')
  world.wait(60_000)
  t.not(await requestByEmail(world, person.email), '')
})

void t.test('suspends a number that was verified within 72 hours for 72 hours after a reset by e-mail', async (t) => {
  for (const hours of [71, 73]) {
    const world = await openWorld()
    const person = await world.person()
    await verifiedAgo(person.id, { email: 1, phone: hours })
    t.equal((await resetByEmail(world, await requestByEmail(world, person.email))).status, 200)
    t.equal((await requestByPhone(world, person.phone)) === '', hours === 71)
    world.wait(72 * HOUR_MS)
    t.match(await requestByPhone(world, person.phone), /^\d{6}$/)
  }
})

for (const [title, changedHours, olderHours, isSuspended] of [
  ['an older identifier suspends one that replaced another within 7 days', 160, 1000, true],
  ['an older identifier does not suspend one that replaced another before', 169, 1000, false],
  ['a younger identifier does not suspend an older one', 160, 100, false],
  ['an older identifier does not suspend one that replaced none', null, 1000, false],
] as const) {
  void t.test(`a reset by ${title}`, async (t) => {
    const changed = changedHours === null ? null : new Date(Date.now() - changedHours * HOUR_MS)
    const [byPhone, byEmail] = [await openWorld(), await openWorld()]
    const [one, other] = [await byPhone.person(), await byEmail.person()]
    await verifiedAgo(one.id, { email: changedHours ?? 160, phone: olderHours })
    await prisma.account.update({ where: { id: one.id }, data: { emailChangedAt: changed } })
    t.equal((await resetByPhone(byPhone, one.phone, await requestByPhone(byPhone, one.phone))).status, 200)
    t.equal((await requestByEmail(byPhone, one.email)) === '', isSuspended, 'the address')
    await verifiedAgo(other.id, { email: olderHours, phone: changedHours ?? 160 })
    await prisma.account.update({ where: { id: other.id }, data: { phoneChangedAt: changed } })
    t.equal((await resetByEmail(byEmail, await requestByEmail(byEmail, other.email))).status, 200)
    t.equal((await requestByPhone(byEmail, other.phone)) === '', isSuspended, 'the number')
  })
}

void t.test('restores the number before one in its waiting period by a reset by e-mail', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const before = await stored(person.id)
  const thief = await changePhone(world, person, await person.token())
  t.equal((await resetByEmail(world, await requestByEmail(world, person.email))).status, 200)
  t.match(await stored(person.id), { phone: before.phone, phoneVerifiedAt: before.phoneVerifiedAt })
  world.wait(HOUR_MS)
  t.not(await requestByPhone(world, person.phone), '', 'the former number')
  world.wait(80 * HOUR_MS)
  t.equal(await requestByPhone(world, thief), '', 'the new number')
})

/** Runs a test with another value of SMS_PASSWORD_RESET on both instances. */
async function withSmsReset(mode: typeof app.context.smsReset, work: () => Promise<void>): Promise<void> {
  const before = app.context.smsReset
  for (const { context } of [app, second]) context.smsReset = mode
  await work()
  for (const { context } of [app, second]) context.smsReset = before
}

void t.test('sends a link instead of a code to an account with a verified address', async (t) => {
  await withSmsReset('unless-email-verified', async () => {
    const world = await openWorld()
    const person = await world.person()
    t.equal(await requestByPhone(world, person.phone), '')
    const token = await tokenFor(world, person.email)
    t.match(world.textsTo(person.phone)[0], /p\*\*\*@example\.org/)
    t.equal((await resetByEmail(world, token)).status, 200)
  })
})

const AFTER_NUMBER: Readonly<Record<string, [verifiedHoursAgo: number, isLink: boolean]>> = {
  '73 hours ago': [73, false],
  '6 days ago': [6 * 24, false],
  '8 days ago': [8 * 24, true],
}

for (const [when, [hours, isLink]] of Object.entries(AFTER_NUMBER)) {
  void t.test(
    `sends a ${isLink ? 'link' : 'code'} to a number after which the address was verified ${when}`,
    async (t) => {
      await withSmsReset('unless-email-verified', async () => {
        const world = await openWorld()
        const { id, email, phone } = await world.person()
        const { nowMs } = world.service.clock
        const at = (hoursAgo: number): Date => new Date(nowMs() - hoursAgo * HOUR_MS)
        const data = { phoneVerifiedAt: at(1000), phoneRecoversFrom: at(1000), emailVerifiedAt: at(hours) }
        await prisma.account.update({ where: { id }, data: { ...data, emailRecoversFrom: at(hours - 72) } })
        const code = await requestByPhone(world, phone)
        t.equal(code === '', isLink)
        t.equal((await tokenFor(world, email)) !== '', isLink)
        if (!isLink) t.equal((await resetByPhone(world, phone, code)).status, 200)
      })
    },
  )
}

void t.test('sends the notice of a reset to a number for which a stranger has requested links', async (t) => {
  await withSmsReset('unless-email-verified', async () => {
    const [world, stranger] = [await openWorld(), await openWorld()]
    const { email, phone } = await world.person()
    for (let requests = 0; requests < LIMITS.sms.notices_per_day; requests++) {
      await stranger.send('requestPasswordReset')({ json: { by: 'phone', phone_code: '966', phone } })
      await settled(world)
      world.wait(5 * COOLDOWN_MS)
    }
    t.equal(world.textsTo(phone).length, LIMITS.sms.notices_per_day, 'the links are announced')
    const json = { by: 'email', token: await requestByEmail(world, email), password: OWN_PASSWORD }
    t.equal((await world.send('resetPassword')({ json })).status, 200)
    await settled(world)
    t.match(world.textsTo(phone)[0], 'was reset by e-mail')
  })
})

void t.test('sends a code to an account whose address cannot recover it', async (t) => {
  await withSmsReset('unless-email-verified', async () => {
    const [unverified, suspended] = [await openWorld(), await openWorld()]
    const one = await unverified.person({ isEmailVerified: false })
    t.equal((await resetByPhone(unverified, one.phone, await requestByPhone(unverified, one.phone))).status, 200)
    const other = await suspended.person()
    const emailRecoversFrom = new Date(Date.now() + HOUR_MS)
    await prisma.account.update({ where: { id: other.id }, data: { emailRecoversFrom } })
    const code = await requestByPhone(suspended, other.phone)
    await prisma.account.update({ where: { id: other.id }, data: { emailRecoversFrom: new Date(0) } })
    t.equal((await resetByPhone(suspended, other.phone, code)).status, 422, 'the address recovers it in the meantime')
  })
})

void t.test('never resets the password of an administrator by SMS alone', async (t) => {
  for (const mode of ['yes', 'unless-email-verified'] as const) {
    await withSmsReset(mode, async () => {
      for (const isEmailVerified of [true, false]) {
        const world = await openWorld()
        const person = await world.person({ isAdmin: true, isEmailVerified })
        t.equal(await requestByPhone(world, person.phone), '')
        t.equal((await tokenFor(world, person.email)) !== '', isEmailVerified, 'a link to a verified address')
      }
    })
  }
})

void t.test('lets a changed number recover the account after 72 hours', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const thief = await changePhone(world, person, await person.token())
  const own = await stored(person.id)
  world.wait(HOUR_MS)
  t.equal(await requestByPhone(world, thief), '')
  const updates = { accountId: person.id, type: 'profile.updated' }
  const before = await prisma.event.count({ where: updates })
  t.equal((await resetByPhone(world, person.phone, await requestByPhone(world, person.phone))).status, 200)
  t.match(await stored(person.id), { phone: `+966${person.phone.slice(1)}` }, 'the account has the old number again')
  t.equal(await prisma.event.count({ where: updates }), before + 1)
  world.wait(72 * HOUR_MS)
  t.equal(await requestByPhone(world, thief), '', 'the other number cannot recover it')
  t.ok(own.phoneRecoversFrom)

  const other = await openWorld()
  const patient = await other.person()
  const next = await changePhone(other, patient, await patient.token())
  other.wait(72 * HOUR_MS - 60_000)
  t.equal(await requestByPhone(other, next), '')
  other.wait(60_000)
  t.equal(await requestByPhone(other, patient.phone), '')
  t.match(await requestByPhone(other, next), /^\d{6}$/)
})

void t.test('does not shorten the 72 hours by changing the number twice', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const first = await changePhone(world, person, token)
  await changePhone(world, { ...person, phone: first }, token)
  world.wait(HOUR_MS)
  t.equal(await requestByPhone(world, first), '', 'the number in between')
  t.match(await requestByPhone(world, person.phone), /^\d{6}$/)
})

void t.test('lets a replaced number recover the account for 72 hours', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const { phone = '', phone_code = '' } = clientRegistration()
  const form = clientForm({ ...person, phone }, { phone_code, otp: '000000' })
  const response = await world.send('updateProfile')({ token, form })
  t.match(response.body.data.user, { phone_code, phone_verified: false }, 'an invalid code is ignored')
  t.match(await stored(person.id), { phoneVerifiedAt: null, phoneRecoversFrom: null })

  await there(world, 'checkPhone')({ form: { phone, phone_code } })
  const otp = foreignCode(`+20${phone.slice(1)}`)
  const proven = await there(world, 'updateProfile')({ token, form: { ...form, otp } })
  t.equal(proven.body.data.user.phone_verified, true, 'the code of a number that the account has verifies it')
  const { phoneRecoversFrom } = await stored(person.id)
  t.ok(Number(phoneRecoversFrom) > Date.now() + 71 * HOUR_MS, 'the 72 hours are not shortened')
  t.equal((await resetByPhone(world, person.phone, await requestByPhone(world, person.phone))).status, 200)
})

void t.test('rejects the e-mail address as the new password of a replaced number', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  await changePhone(world, person, await person.token())
  const json = { by: 'phone', phone_code: '966', phone: person.phone, otp: await requestByPhone(world, person.phone) }
  const received = await world.send('resetPassword')({ json: { ...json, password: person.email } })
  t.same(received.body.data.codes, { password: ['password_is_email'] })
})

void t.test('recovers only the account that verified a number', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  await changePhone(world, person, await person.token())
  await world.send('checkPhone')({ form: { phone_code: '966', phone: person.phone } })
  const otp = world.codesTo(person.phone)[0]
  const form = clientRegistration({ phone: person.phone, phone_code: '966', otp })
  t.equal((await world.send('register')({ form })).status, 201)
  world.wait(HOUR_MS)
  t.equal((await resetByPhone(world, person.phone, await requestByPhone(world, person.phone))).status, 200)
  t.ok(await canLogIn(world, form['email'] ?? '', OWN_PASSWORD))
  t.ok(await canLogIn(world, person.email, PASSWORD))
})

void t.test('accepts a code for its purpose only, with shared limits', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  await changePhone(world, person, await person.token())
  const { phone } = person // free for others, and recovers the account
  const number = { phone_code: '966', phone }
  const reset = await requestByPhone(world, phone)
  t.match(world.textsTo(phone)[0], /NEW PASSWORD/)
  t.equal((await there(world, 'confirmPhone')({ form: { ...number, otp: reset } })).headers['error-code'], 'otp_wrong')
  const form = clientRegistration({ ...number, otp: reset })
  t.same((await there(world, 'register')({ form })).body.data.codes, { otp: ['otp_wrong'] })
  t.equal((await world.send('checkPhone')({ form: number })).headers['error-code'], 'otp_cooldown')

  world.wait(COOLDOWN_MS)
  t.equal((await world.send('checkPhone')({ form: number })).status, 200)
  const code = world.codesTo(phone)[0] ?? ''
  t.notMatch(world.textsTo(phone)[0], /PASSWORD/)
  t.equal((await there(world, 'confirmPhone')({ form: { ...number, otp: code } })).status, 200)
  t.match((await resetByPhone(world, phone, code)).body.data, { codes: { otp: ['otp_wrong'] } })
  t.equal((await resetByPhone(world, phone, reset)).status, 200, 'the purposes do not affect each other')
  t.equal((await there(world, 'register')({ form: { ...form, otp: code } })).status, 422, 'the account has it again')
})

/** Runs two requests at once in each of several rounds, and checks their statuses. */
async function race(
  round: () => Promise<readonly [Promise<{ status: number }>, Promise<{ status: number }>]>,
  check: (statuses: [number, number]) => void,
): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS; rounds++) {
    const [one, other] = await round()
    check([(await one).status, (await other).status])
  }
}

async function addToken({ id: accountId }: Person, { service }: World): Promise<string> {
  const { resetTokens } = service.app.context
  const token = resetTokens.newToken()
  const data = { accountId, tokenHash: resetTokens.hash(token), expiresAt: new Date(Date.now() + 600_000) }
  await service.database.prisma.passwordReset.create({ data })
  return token
}

void t.test('gives an address one account at most when released during a registration', async (t) => {
  await race(
    async () => {
      const world = await openWorld()
      const person = await world.person({ isEmailVerified: false })
      const token = await addToken(person, world)
      const form = clientRegistration({ email: person.email })
      return [there(world, 'releaseEmail')({ json: { token } }), world.send('register')({ form })]
    },
    ([released, made]) => {
      t.equal(released, 200)
      t.ok(made === 201 || made === 422)
    },
  )
})

void t.test('applies one of concurrent resets by e-mail and SMS', async (t) => {
  await race(
    async () => {
      const world = await openWorld()
      const person = await world.person()
      const token = await addToken(person, world)
      const otp = await requestByPhone(world, person.phone)
      const json = { by: 'email', token, password: NEW_PASSWORD }
      return [world.send('resetPassword')({ json }), resetByPhone(world, person.phone, otp)]
    },
    (statuses) => t.same([...statuses].sort(), [200, 422]),
  )
})

void t.test('applies one of a concurrent release and claim', async (t) => {
  await race(
    async () => {
      const world = await openWorld()
      const person = await world.person({ isEmailVerified: false })
      const token = await addToken(person, world)
      const otp = await requestByPhone(world, person.phone)
      return [world.send('releaseEmail')({ json: { token } }), resetByEmail(world, token, { otp })]
    },
    (statuses) => t.same([...statuses].sort(), [200, 422]),
  )
})

void t.test('verifies a number for one of two concurrent accounts', async (t) => {
  await race(
    async () => {
      const world = await openWorld()
      const [one, other] = [await world.person(), await world.person()]
      const { phone, otp } = await saudiNumber(world)
      const change = async (person: Person, send: Send): Promise<{ status: number }> =>
        send({ token: await person.token(), form: clientForm({ ...person, phone }, { otp }) })
      return [change(one, world.send('updateProfile')), change(other, there(world, 'updateProfile'))]
    },
    (statuses) => t.same([...statuses].sort(), [200, 422]),
  )
})

void t.test('enforces unique verified numbers in the database', async (t) => {
  const world = await openWorld()
  const [one, other] = [await world.person(), await world.person({ isPhoneVerified: false })]
  const phone = `+966${one.phone.slice(1)}`
  await prisma.account.update({ where: { id: other.id }, data: { phone } })
  const form = clientForm({ ...other, phone: one.phone }, {})
  t.equal(
    (await world.send('updateProfile')({ token: await other.token(), form })).status,
    200,
    'it may stay unverified',
  )
  const { profiles } = world.service.app.context.store
  t.same(await profiles.taken({ email: undefined, phone }), { email: false, phone: true })
  await settled(world)
})
