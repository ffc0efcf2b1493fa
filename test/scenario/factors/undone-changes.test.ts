// The undo of a change of the account also removes the second factors that a thief added with it, and keeps older ones.
import t, { type Test } from 'tap'
import { LIMITS } from '../../../generated/limits.ts'
import { newPasskey } from '../../support/accounts/authenticator.ts'
import { newAddress, putEmail, SUBJECTS, tokensTo, verificationTo } from '../../support/accounts/emails.ts'
import { loginError } from '../../support/accounts/factor-resets.ts'
import { establishedPerson, mailsTo, resetBy, tokenFor } from '../../support/accounts/resets.ts'
import { begin, BY_PASSWORD, codeAt, establish } from '../../support/accounts/second-factors.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'

const NOTICE = 'Your second factors were removed'
const ADDED = { 'an app': 'An authenticator app was added', 'a passkey': 'A passkey was added' } as const

const service = await sharedService()
const { prisma } = service.database

/** Adds a factor in a session with recent authentication. */
const ADD = {
  'an app': async (world: World, token: string, password = PASSWORD): Promise<void> => {
    const { secret } = await begin(world, token, { password })
    const { status } = await world.send('confirmTotp')({
      token,
      json: { code: codeAt(secret, service.clock.nowMs()) },
    })
    if (status !== 200) throw new Error(`the app was not added: ${status}`)
  },
  'a passkey': async (world: World, token: string, password = PASSWORD): Promise<void> => {
    const { json } = await newPasskey(world, token, {}, { password })
    const { status } = await world.send('addPasskey')({ token, json })
    if (status !== 201) throw new Error(`the passkey was not added: ${status}`)
  },
} as const

type Factor = keyof typeof ADD
const FACTORS = Object.keys(ADD) as Factor[] // Object.keys loses the type of the keys

/** What a thief does, in the order of time; returns the token that undoes it. */
type Theft = (world: World, person: Person, add: (token: string, password?: string) => Promise<void>) => Promise<string>

async function login(world: World, { email }: Person, password = PASSWORD): Promise<string> {
  return tokensIn(await world.send('login')({ json: { email, password } })).token
}

/** Changes the address with a stolen session. Returns the token that undoes it. */
async function changeAddress(world: World, person: Person, token: string): Promise<string> {
  const address = newAddress()
  await putEmail(world, person, token, address)
  await world.send('confirmEmail')({ json: { by: 'token', token: (await verificationTo(world, address)).token } })
  const [undo = ''] = await tokensTo(world, person.email, SUBJECTS.changed)
  return undo
}

const THEFTS: Record<string, Theft> = {
  async 'after a change of the address'(world, person, add) {
    const token = await login(world, person)
    const undo = await changeAddress(world, person, token)
    await add(token)
    return undo
  },
  async 'before a change of the address'(world, person, add) {
    const token = await login(world, person)
    await add(token)
    return changeAddress(world, person, token)
  },
  async 'after a reset by phone'(world, person, add) {
    await resetBy.phone(world, person)
    const undo = await tokenFor(world, person.email)
    await add(await login(world, person, resetBy.password), resetBy.password)
    return undo
  },
}

async function factorsOf({ id: accountId }: Person): Promise<{ apps: number; passkeys: number; isProtected: boolean }> {
  const apps = await prisma.secondFactors.count({ where: { accountId, totpSecret: { not: null } } })
  const passkeys = await prisma.passkey.count({ where: { accountId } })
  const { factorsSince } = await prisma.account.findUniqueOrThrow({ where: { id: accountId } })
  return { apps, passkeys, isProtected: factorsSince !== null }
}

/** Ends the waiting period of one factor of a person and of the recovery codes. */
async function establishOnly({ id: accountId }: Person, factor: Factor): Promise<void> {
  await prisma.emailToken.deleteMany({ where: { accountId, purpose: { in: ['undo', 'undo_by_phone'] } } }) // an undo reaches as far back
  const establishedAt = new Date(service.clock.nowMs() - 1000)
  const app = factor === 'an app' ? { totpEstablishedAt: establishedAt } : {}
  await prisma.secondFactors.updateMany({ where: { accountId }, data: { ...app, codesEstablishedAt: establishedAt } })
  if (factor === 'a passkey') await prisma.passkey.updateMany({ where: { accountId }, data: { establishedAt } })
}

async function removals(world: World, { id: accountId, email }: Person): Promise<{ events: number; notices: number }> {
  const events = await prisma.auditEvent.count({ where: { accountId, event: 'factors_removed' } })
  return { events, notices: (await mailsTo(world, email)).filter(({ subject }) => subject === NOTICE).length }
}

async function ownerReturns(t: Test, world: World, person: Person): Promise<void> {
  t.equal(await resetBy.email(world, person), 200)
  t.equal(await loginError(world, person, resetBy.password), undefined, 'the password alone suffices')
}

for (const [when, theft] of Object.entries(THEFTS)) {
  for (const factor of FACTORS) {
    void t.test(`removes ${factor} that was added ${when}`, async (t) => {
      const world = await openWorld(service)
      const person = await establishedPerson(world)
      const token = await theft(world, person, (...given) => ADD[factor](world, ...given))
      t.equal((await factorsOf(person)).isProtected, true)
      t.equal((await world.send('undoChanges')({ json: { by: 'token', token } })).status, 200)
      t.same(await factorsOf(person), { apps: 0, passkeys: 0, isProtected: false })
      t.same(await removals(world, person), { events: 1, notices: 1 })
      await ownerReturns(t, world, person)
    })
  }
}

for (const own of FACTORS) {
  const thiefs = own === 'an app' ? 'a passkey' : 'an app'
  void t.test(`keeps ${own} and the recovery codes of the owner, and removes ${thiefs} of a thief`, async (t) => {
    const world = await openWorld(service)
    const person = await establishedPerson(world)
    const session = await login(world, person)
    await ADD[own](world, session)
    await ADD[thiefs](world, session)
    await establishOnly(person, own)
    const token = await changeAddress(world, person, session)
    t.same(await factorsOf(person), { apps: 1, passkeys: 1, isProtected: true })
    t.equal((await world.send('cancelEmailChange')({ json: { token } })).status, 200)
    const isApp = own === 'an app'
    t.same(await factorsOf(person), { apps: isApp ? 1 : 0, passkeys: isApp ? 0 : 1, isProtected: true })
    t.same(await removals(world, person), { events: 1, notices: 1 })
    const { recoveryCodes } = await prisma.secondFactors.findUniqueOrThrow({ where: { accountId: person.id } })
    t.equal(recoveryCodes.length, LIMITS.factors.recovery_codes)
    t.equal(await resetBy.email(world, person), 200)
    t.equal(await loginError(world, person, resetBy.password), 'mfa_required')
  })
}

void t.test('keeps an older app when nothing was added, without an event', async (t) => {
  const world = await openWorld(service)
  const person = await establishedPerson(world)
  const session = await login(world, person)
  await ADD['an app'](world, session)
  await establish(world, person)
  const token = await changeAddress(world, person, session)
  t.equal((await world.send('cancelEmailChange')({ json: { token } })).status, 200)
  t.same(await factorsOf(person), { apps: 1, passkeys: 0, isProtected: true })
  t.same(await removals(world, person), { events: 0, notices: 0 })
  const { recoveryCodes } = await prisma.secondFactors.findUniqueOrThrow({ where: { accountId: person.id } })
  t.equal(recoveryCodes.length, LIMITS.factors.recovery_codes)
})

for (const factor of FACTORS) {
  void t.test(`removes ${factor} of a thief with a reset of the password by e-mail, and says so`, async (t) => {
    const world = await openWorld(service)
    const person = await establishedPerson(world)
    await ADD[factor](world, await login(world, person))
    await ownerReturns(t, world, person)
    t.same(await factorsOf(person), { apps: 0, passkeys: 0, isProtected: false })
    t.same(await removals(world, person), { events: 1, notices: 1 })
  })

  void t.test(`keeps ${factor} that is established with a reset of the password`, async (t) => {
    const world = await openWorld(service)
    const person = await establishedPerson(world)
    await ADD[factor](world, await login(world, person))
    await establish(world, person)
    t.equal(await resetBy.email(world, person), 200)
    t.equal(await loginError(world, person, resetBy.password), 'mfa_required')
    t.same(await removals(world, person), { events: 0, notices: 0 })
  })
}

void t.test(
  'announces a change of the factors on both channels, and to the address that can undo its replacement',
  async (t) => {
    const world = await openWorld(service)
    const person = await establishedPerson(world)
    const token = await login(world, person)
    await changeAddress(world, person, token)
    await ADD['an app'](world, token)
    const { email } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
    for (const address of [person.email, email])
      t.equal((await mailsTo(world, address))[0]?.subject, 'An authenticator app was added', address)
    t.match(world.textsTo(person.phone)[0], 'the second factors of your account were changed')
  },
)

void t.test('limits changes of factors for each network, so that a thief does not block the owner', async (t) => {
  const world = await openWorld(service)
  const token = await login(world, await world.person())
  const elsewhere = await openWorld(service)
  while ((await elsewhere.send('beginTotp')({ token, ...BY_PASSWORD })).status === 200);
  t.equal((await elsewhere.send('beginTotp')({ token, ...BY_PASSWORD })).status, 429)
  t.equal((await world.send('beginTotp')({ token, ...BY_PASSWORD })).status, 200)
})

void t.test('sends one notice to an address that was changed and changed back', async (t) => {
  const world = await openWorld(service)
  const person = await establishedPerson(world)
  const token = await login(world, person)
  await changeAddress(world, person, token)
  await prisma.account.update({ where: { id: person.id }, data: { email: person.email } })
  await ADD['an app'](world, token)
  const subjects = (await mailsTo(world, person.email)).map(({ subject }) => subject)
  t.equal(subjects.filter((subject) => subject === ADDED['an app']).length, 1)
})

for (const factor of FACTORS) {
  void t.test(`announces ${factor} to the previous address of its account, and not to that of another`, async (t) => {
    const world = await openWorld(service)
    const [person, other] = [await establishedPerson(world), await establishedPerson(world)]
    await changeAddress(world, other, await login(world, other))
    const token = await login(world, person)
    await changeAddress(world, person, token)
    const subject = ADDED[factor]
    const notices = async ({ email }: Person): Promise<number> =>
      (await mailsTo(world, email)).filter((mail) => mail.subject === subject).length
    await ADD[factor](world, token)
    t.same([await notices(person), await notices(other)], [1, 0])
  })
}
