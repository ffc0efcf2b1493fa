// Recovery works for the proven owner of the e-mail address or the phone number, on two instances.
import t from 'tap'
import { openApp } from '../../src/app.ts'
import type { OperationId } from '../../src/contract.ts'
import { verificationTo } from '../support/emails.ts'
import { clientForm } from '../support/profile-forms.ts'
import { clientRegistration, NEW_PASSWORD, saudiNumber } from '../support/registrations.ts'
import { codeFor, mailsTo, settled, tokenFor } from '../support/resets.ts'
import { sender, type Send } from '../support/sender.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../support/world.ts'
import { raceRounds } from '../support/races.ts'

const HOUR_MS = 3_600_000
/** After the code of a registration */
const COOLDOWN_MS = 60_000
const ROUNDS = raceRounds(50)
const OWN_PASSWORD = 'a third horse battery'

const { config, clock, database, logger } = await sharedService()
const second = await openApp(config, { log: logger, clock, database })
t.teardown(() => second.close())
const secondOrigin = await second.server.listen({ host: '127.0.0.1', port: 0 })
const { prisma } = database

/** The other instance, from another address */
function there(world: World, id: OperationId): Send {
  return sender(secondOrigin, id, world.address.replace(/^10/, '11'))
}

async function askByEmail(world: World, email: string): Promise<string> {
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  return tokenFor(world, email)
}

/** The code of a reset that was sent to a Saudi number; empty where none was sent */
async function askByPhone(world: World, phone: string): Promise<string> {
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

/** An account that is registered with another person's address and a number of its maker */
async function registered(world: World, more: object = {}): Promise<Person & { session: string }> {
  const number = await saudiNumber(world)
  const form = clientRegistration({ ...number, ...more })
  const answer = await world.send('register')({ form })
  await settled(world) // the e-mail of the registration comes before those of the story
  const { email = '' } = form
  const { id } = await prisma.account.findUniqueOrThrow({ where: { email } })
  const session = tokensIn(answer).token
  return { id, email, phone: number.phone, session, token: async () => session, logIn: async () => tokensIn(answer) }
}

type Stored = Awaited<ReturnType<typeof prisma.account.findUniqueOrThrow>>

async function stored(id: number): Promise<Stored> {
  return prisma.account.findUniqueOrThrow({ where: { id } })
}

/** Changes the number of a person to another one, verified by its code. */
async function changePhone(world: World, person: Person, token: string): Promise<string> {
  const { phone, otp } = await saudiNumber(world)
  const answer = await world.send('updateProfile')({ token, form: clientForm({ ...person, phone }, { otp }) })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return phone
}

void t.test(
  'an account registered with the address of another person, who confirms it, is lost to its maker',
  async (t) => {
    const world = await openWorld()
    const made = await registered(world)
    // a bare link proves the address, and nothing about who registered
    const { createdAt } = await stored(made.id)
    world.wait(COOLDOWN_MS)
    const proof = { emailVerifiedAt: createdAt, emailRecoversFrom: createdAt }
    await prisma.account.update({ where: { id: made.id }, data: proof })
    const early = await askByPhone(world, made.phone)
    t.match(early, /^\d{6}$/, 'the number recovers the account before')

    t.equal((await resetByEmail(world, await askByEmail(world, made.email))).status, 200)
    t.equal((await world.send('checkToken')({ token: made.session })).status, 401)
    t.same((await resetByPhone(world, made.phone, early)).body.data.codes, { otp: ['otp_wrong'] })
    world.wait(HOUR_MS)
    t.equal(await askByPhone(world, made.phone), '', 'nothing is sent to the number any more')
    t.match(await stored(made.id), { phoneVerifiedAt: null, phoneRecoversFrom: null })
    t.ok(await canLogIn(world, made.email, OWN_PASSWORD))
  },
)

void t.test('the owner of an address that was never verified releases it, and registers with it', async (t) => {
  const world = await openWorld()
  const made = await registered(world)
  const token = await askByEmail(world, made.email)
  world.wait(COOLDOWN_MS)
  t.same((await resetByEmail(world, token)).body.data.codes, { otp: ['required'] }, 'the token alone opens nothing')
  t.equal((await there(world, 'releaseEmail')({ json: { token } })).status, 200)
  const own = clientRegistration({ email: made.email })
  const owned = await there(world, 'register')({ form: own })
  t.equal(owned.status, 201)

  world.wait(HOUR_MS)
  const otp = await askByPhone(world, made.phone)
  t.equal((await resetByPhone(world, made.phone, otp)).status, 200, 'the maker recovers what is left')
  t.match((await stored(made.id)).email, /^account-\d+-[0-9a-f]{8}@released\.invalid$/)
  t.ok(await canLogIn(world, made.email, NEW_PASSWORD), 'the account of the owner is another one')
  t.notOk(await canLogIn(world, made.email, OWN_PASSWORD))
})

void t.test('the owner of a mistyped address cannot open the account of the person who mistyped it', async (t) => {
  const world = await openWorld()
  const victim = await registered(world)
  const token = await askByEmail(world, victim.email)
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
  t.equal((await world.send('getProfile')({ token: victim.session })).status, 200, 'the sessions go on')
})

void t.test('an address that was never verified and the code by SMS recover the account, and verify it', async (t) => {
  const world = await openWorld()
  const person = await world.person({ isEmailVerified: false })
  const token = await askByEmail(world, person.email)
  const otp = await askByPhone(world, person.phone)
  const other = await world.person()
  const otherCode = await askByPhone(world, other.phone)
  t.equal((await resetByEmail(world, token, { otp: otherCode })).status, 422, 'a code of another number')
  t.equal((await resetByEmail(world, token, { otp })).status, 200)
  const { emailVerifiedAt, emailRecoversFrom, phoneRecoversFrom } = await stored(person.id)
  t.ok(emailVerifiedAt && emailRecoversFrom && phoneRecoversFrom)
  t.ok(await canLogIn(world, person.email, OWN_PASSWORD))
})

void t.test('without a number that recovers the account, such an address can only be released', async (t) => {
  const world = await openWorld()
  const person = await world.person({ isEmailVerified: false, isPhoneVerified: false })
  const token = await askByEmail(world, person.email)
  const refused = await resetByEmail(world, token, { otp: '123456' })
  t.same(refused.body.data.codes, { token: ['reset_phone_missing'] })
  const thief = await world.person({ isEmailVerified: false })
  await changePhone(world, thief, await thief.token())
  const early = await resetByEmail(world, await askByEmail(world, thief.email))
  t.same(early.body.data.codes, { token: ['reset_phone_missing'] }, 'nor with a number of less than 72 hours')
})

void t.test('an address that does not recover the account is sent nothing, with the same answer', async (t) => {
  const world = await openWorld()
  for (const emailRecoversFrom of [null, new Date(Date.now() + HOUR_MS)]) {
    const person = await world.person()
    const known = await askByEmail(world, person.email)
    await prisma.account.update({ where: { id: person.id }, data: { emailRecoversFrom } })
    await prisma.passwordReset.findFirstOrThrow({ where: { accountId: person.id } })
    t.equal((await resetByEmail(world, known)).status, 422, 'a token that was sent before')
    const before = (await mailsTo(world, person.email)).length
    const answer = await world.send('requestPasswordReset')({ json: { by: 'email', email: person.email } })
    t.equal(answer.status, 202)
    t.equal((await mailsTo(world, person.email)).length, before)
  }
})

function foreignCode(to: string): string {
  const sent = second.outbox?.messages.find((message) => message.to === to)
  return /\d{6}/.exec(sent?.text ?? '')?.[0] ?? ''
}

void t.test('a squatted foreign number is free for its owner, and recovers nothing for the squatter', async (t) => {
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
  const answer = await there(world, 'register')({ form: owner })
  t.equal(answer.status, 201)
  const { body } = await there(world, 'getProfile')({ token: tokensIn(answer).token })
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

void t.test('a reset after a SIM swap does not suspend an address that was verified before the number', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  await prisma.account.update({ where: { id: person.id }, data: { emailVerifiedAt: new Date(Date.now() - HOUR_MS) } })
  t.equal((await resetByPhone(world, person.phone, await askByPhone(world, person.phone))).status, 200)
  t.equal((await resetByEmail(world, await askByEmail(world, person.email))).status, 200, 'the owner takes it back')
  world.wait(HOUR_MS)
  t.equal(await askByPhone(world, person.phone), '', 'and the number, proven later, no longer recovers it')
  const events = await prisma.auditEvent.findMany({ where: { accountId: person.id, event: 'password_reset' } })
  t.same(
    events.map(({ subject }) => subject?.[0]),
    ['+', 'p'],
    'the audit trail has the channel of each',
  )
})

void t.test('a reset by SMS suspends an address that was verified later, until it is verified again', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const later = new Date(Date.now() + 1)
  const data = { emailVerifiedAt: later, emailRecoversFrom: later }
  await prisma.account.update({ where: { id: person.id }, data })
  t.equal((await resetByPhone(world, person.phone, await askByPhone(world, person.phone))).status, 200)
  t.equal(await askByEmail(world, person.email), '')

  const login = await world.send('login')({ json: { email: person.email, password: OWN_PASSWORD } })
  const { token } = tokensIn(login)
  t.equal((await world.send('requestEmailVerification')({ token })).status, 200)
  const { code } = await verificationTo(world, person.email)
  t.equal((await world.send('confirmEmail')({ token, json: { by: 'code', code } })).status, 200)
  world.wait(HOUR_MS)
  t.not(await askByEmail(world, person.email), '')
})

void t.test('a changed number recovers the account after 72 hours, and the old one until then', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const thief = await changePhone(world, person, await person.token())
  const own = await stored(person.id)
  world.wait(HOUR_MS)
  t.equal(await askByPhone(world, thief), '')
  t.equal((await resetByPhone(world, person.phone, await askByPhone(world, person.phone))).status, 200)
  t.match(await stored(person.id), { phone: `+966${person.phone.slice(1)}` }, 'the account has the old number again')
  world.wait(72 * HOUR_MS)
  t.equal(await askByPhone(world, thief), '', 'and the other one has no way back')
  t.ok(own.phoneRecoversFrom)

  const other = await openWorld()
  const patient = await other.person()
  const next = await changePhone(other, patient, await patient.token())
  other.wait(72 * HOUR_MS - 60_000)
  t.equal(await askByPhone(other, next), '')
  other.wait(60_000)
  t.equal(await askByPhone(other, patient.phone), '')
  t.match(await askByPhone(other, next), /^\d{6}$/)
})

void t.test('changing the number twice gives no number a shorter way', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const first = await changePhone(world, person, token)
  await changePhone(world, { ...person, phone: first }, token)
  world.wait(HOUR_MS)
  t.equal(await askByPhone(world, first), '', 'the number in between')
  t.match(await askByPhone(world, person.phone), /^\d{6}$/)
})

void t.test(
  'a foreign number replaces a verified one without a proof, which recovers the account for 72 hours',
  async (t) => {
    const world = await openWorld()
    const person = await world.person()
    const token = await person.token()
    const { phone = '', phone_code = '' } = clientRegistration()
    const form = clientForm({ ...person, phone }, { phone_code, otp: '000000' })
    const answer = await world.send('updateProfile')({ token, form })
    t.match(answer.body.data.user, { phone_code, phone_verified: false }, 'a code that is none is ignored')
    t.match(await stored(person.id), { phoneVerifiedAt: null, phoneRecoversFrom: null })

    await there(world, 'checkPhone')({ form: { phone, phone_code } })
    const otp = foreignCode(`+20${phone.slice(1)}`)
    const proven = await there(world, 'updateProfile')({ token, form: { ...form, otp } })
    t.equal(proven.body.data.user.phone_verified, true, 'the code of a number that the account has verifies it')
    const { phoneRecoversFrom } = await stored(person.id)
    t.ok(Number(phoneRecoversFrom) > Date.now() + 71 * HOUR_MS, 'it recovers the account no earlier for that')
    t.equal((await resetByPhone(world, person.phone, await askByPhone(world, person.phone))).status, 200)
  },
)

void t.test('a number that another account has verified meanwhile recovers only that one', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  await changePhone(world, person, await person.token())
  await world.send('checkPhone')({ form: { phone_code: '966', phone: person.phone } })
  const otp = /\d{6}/.exec(world.textsTo(person.phone)[0] ?? '')?.[0]
  const form = clientRegistration({ phone: person.phone, phone_code: '966', otp })
  t.equal((await world.send('register')({ form })).status, 201)
  world.wait(HOUR_MS)
  t.equal((await resetByPhone(world, person.phone, await askByPhone(world, person.phone))).status, 200)
  t.ok(await canLogIn(world, form['email'] ?? '', OWN_PASSWORD))
  t.ok(await canLogIn(world, person.email, PASSWORD))
})

void t.test('a code serves its purpose alone, and the limits of the number are for both', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  await changePhone(world, person, await person.token())
  const { phone } = person // free for others, and recovers the account
  const number = { phone_code: '966', phone }
  const reset = await askByPhone(world, phone)
  t.match(world.textsTo(phone)[0], /NEW PASSWORD/)
  t.equal((await there(world, 'confirmPhone')({ form: { ...number, otp: reset } })).headers['error-code'], 'otp_wrong')
  const form = clientRegistration({ ...number, otp: reset })
  t.same((await there(world, 'register')({ form })).body.data.codes, { otp: ['otp_wrong'] })
  t.equal((await world.send('checkPhone')({ form: number })).headers['error-code'], 'otp_cooldown')

  world.wait(COOLDOWN_MS)
  t.equal((await world.send('checkPhone')({ form: number })).status, 200)
  const code = /\d{6}/.exec(world.textsTo(phone)[0] ?? '')?.[0] ?? ''
  t.notMatch(world.textsTo(phone)[0], /PASSWORD/)
  t.equal((await there(world, 'confirmPhone')({ form: { ...number, otp: code } })).status, 200)
  t.same((await resetByPhone(world, phone, code)).body.data.codes, { otp: ['otp_wrong'] })
  t.equal((await resetByPhone(world, phone, reset)).status, 200, 'neither disturbs the other')
  t.equal((await there(world, 'register')({ form: { ...form, otp: code } })).status, 422, 'the account has it again')
})

/** Runs two requests at once, so many times, and hands their statuses over. */
async function race(
  round: () => Promise<readonly [Promise<{ status: number }>, Promise<{ status: number }>]>,
  judge: (statuses: [number, number]) => void,
): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS; rounds++) {
    const [one, other] = await round()
    judge([(await one).status, (await other).status])
  }
}

async function addToken({ id, email }: Person, world: World): Promise<string> {
  const { store, resetTokens } = world.service.app.context
  const token = resetTokens.newToken()
  await store.recovery.addToken({ id, email }, resetTokens.hashOf(token))
  return token
}

void t.test('an address is released during a registration with it: it has one account at most', async (t) => {
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

void t.test('of a reset by e-mail and one by SMS at once, one wins', async (t) => {
  await race(
    async () => {
      const world = await openWorld()
      const person = await world.person()
      const token = await addToken(person, world)
      const otp = await askByPhone(world, person.phone)
      const json = { by: 'email', token, password: NEW_PASSWORD }
      return [world.send('resetPassword')({ json }), resetByPhone(world, person.phone, otp)]
    },
    (statuses) => t.same([...statuses].sort(), [200, 422]),
  )
})

void t.test('of a release and a claim with one token, one wins', async (t) => {
  await race(
    async () => {
      const world = await openWorld()
      const person = await world.person({ isEmailVerified: false })
      const token = await addToken(person, world)
      const otp = await askByPhone(world, person.phone)
      return [world.send('releaseEmail')({ json: { token } }), resetByEmail(world, token, { otp })]
    },
    (statuses) => t.same([...statuses].sort(), [200, 422]),
  )
})

void t.test('of two accounts that verify one number at once, one has it', async (t) => {
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

void t.test('numbers that are verified by others are refused by the database too', async (t) => {
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
