// The owner of an established number undoes changes with a code by SMS, however old the changes are within 7 days, on two instances.
import t from 'tap'
import { openApp } from '../../../src/app.ts'
import { newAddress, putEmail, tokensTo, SUBJECTS, verificationTo } from '../../support/accounts/emails.ts'
import { establishedPerson, mailsTo, resetBy, settled, tokenFor } from '../../support/accounts/resets.ts'
import { establish, protectedPerson } from '../../support/accounts/second-factors.ts'
import { changeNumber, undoBy, undoCodesTo } from '../../support/accounts/undos.ts'
import { sender } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ROUNDS = raceRounds(100)
const NEW_PASSWORD = 'olive3kayak'

const service = await sharedService()
const { prisma } = service.database
const second = await openApp(service.config, service.dependencies)
Object.assign(second.context.mail, service.app.context.mail) // either may send an e-mail of the other
t.teardown(() => second.close())
const origin = await second.server.listen({ host: '127.0.0.1', port: 0 })

async function undo({ phone }: Person, otp: string | undefined): Promise<number> {
  return (await sender(origin, 'undoChanges', '192.0.2.1')({ json: undoBy(phone, otp ?? 'AAAAA-AAAAA') })).status
}

async function confirm(world: World, address: string, session: string): Promise<void> {
  const { token } = await verificationTo(world, address)
  const { status, body } = await world.send('confirmEmail')({ token: session, json: { by: 'token', token } })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

async function changeAddress(world: World, person: Person, token: string): Promise<string> {
  const email = newAddress()
  const { status, body } = await putEmail(world, person, token, email)
  if (status !== 200) throw new Error(JSON.stringify(body))
  await confirm(world, email, token)
  return email
}

async function canLogIn(world: World, email: string, password: string): Promise<boolean> {
  return (await world.send('login')({ json: { email, password } })).status === 200
}

/** What a thief of a session does to an account whose number is established. Returns the address that he has then. */
const THEFTS: Readonly<Record<string, (world: World, owner: Person, token: string) => Promise<string>>> = {
  'another address': changeAddress,
  'another number': async (world, owner, token) => {
    await changeNumber(world, owner.email, token)
    return owner.email
  },
  'another address, then another number': async (world, owner, token) => {
    const email = await changeAddress(world, owner, token)
    await changeNumber(world, email, token)
    return email
  },
  'another number, then another address': async (world, owner, token) => {
    const phone = await changeNumber(world, owner.email, token)
    return changeAddress(world, { ...owner, phone }, token)
  },
  'two other addresses': async (world, owner, token) => {
    await changeAddress(world, owner, token)
    world.wait(10 * 60_000)
    return changeAddress(world, owner, token)
  },
  'another address, and a request for deletion': async (world, owner, token) => {
    const email = await changeAddress(world, owner, token)
    await world.send('requestAccountDeletion')({ token, json: { password: PASSWORD } })
    return email
  },
}
const DELAYS_HOURS = [0, 24, 73, 144]

for (const [name, steal] of Object.entries(THEFTS)) {
  for (const isEmailVerified of [false, true]) {
    for (const hours of DELAYS_HOURS) {
      const what = `${name} of an account with ${isEmailVerified ? 'a verified' : 'an unverified'} address`
      void t.test(`undoes ${what} after ${hours} hours`, async (t) => {
        const world = await openWorld(service)
        const owner = await world.person({ isEmailVerified })
        const before = await prisma.account.findUniqueOrThrow({ where: { id: owner.id } })
        const address = await steal(world, owner, await owner.token())
        await settled(world)
        world.wait(hours * HOUR_MS)
        const codes = await undoCodesTo(world, owner.phone)
        t.equal(codes.length, 1, 'the first notice has the code that undoes all')
        t.equal(await undo(owner, codes[0]), 200)

        const { email, phone, phoneVerifiedAt, emailVerifiedAt, deletionDueAt } =
          await prisma.account.findUniqueOrThrow({ where: { id: owner.id } })
        t.match(
          { email, phone, emailVerifiedAt },
          { email: owner.email, phone: before.phone, emailVerifiedAt: before.emailVerifiedAt },
        )
        t.ok(phoneVerifiedAt)
        t.equal(deletionDueAt, null)
        t.equal(await resetBy.phone(world, owner), 200)
        t.ok(await canLogIn(world, owner.email, resetBy.password), 'the owner is in')
        if (address !== owner.email) t.notOk(await canLogIn(world, address, resetBy.password))
        t.equal(await undo(owner, codes[0]), 422, 'a code is valid once')
      })
    }
  }
}

void t.test('removes factors that were not established at the first change, and leaves the others', async (t) => {
  for (const isEstablished of [true, false]) {
    const world = await openWorld(service)
    const { person } = await protectedPerson(world)
    if (isEstablished) await establish(world, person)
    const { token } = await sessionOf(world, person)
    await changeAddress(world, person, token)
    await settled(world)
    world.wait(80 * HOUR_MS)
    t.equal(await undo(person, (await undoCodesTo(world, person.phone))[0]), 200)
    const { factorsSince } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
    t.equal(factorsSince !== null, isEstablished)
  }
})

/** Begins a session without a proof of a factor. */
async function sessionOf(world: World, { id: accountId }: Person): Promise<{ token: string }> {
  const { id: sessionId } = await prisma.session.findFirstOrThrow({ where: { accountId, endedAt: null } })
  await prisma.session.update({
    where: { id: sessionId },
    data: { authenticatedAt: new Date(world.service.clock.nowMs()) },
  })
  return { token: service.app.context.tokens.issue({ accountId, sessionId }) }
}

void t.test('sends no code to a number that cannot recover the account', async (t) => {
  const world = await openWorld(service)
  const unverified = await world.person({ isPhoneVerified: false, isEmailVerified: false })
  await changeAddress(world, unverified, await unverified.token())
  t.same(await undoCodesTo(world, unverified.phone), [])

  const owner = await world.person({ isEmailVerified: false })
  const token = await owner.token()
  const phone = await changeNumber(world, owner.email, token)
  await changeAddress(world, { ...owner, phone }, token)
  t.same(await undoCodesTo(world, phone), [], 'a number in its waiting period')
  t.equal((await undoCodesTo(world, owner.phone)).length, 1)
})

void t.test('gives a later number a code of its own', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  const phone = await changeNumber(world, owner.email, await owner.token())
  world.wait(73 * HOUR_MS)
  const again = tokensIn(await world.send('login')({ json: { email: owner.email, password: PASSWORD } }))
  await changeAddress(world, { ...owner, phone }, again.token)
  t.equal((await undoCodesTo(world, phone)).length, 1)
})

void t.test('sends the code however many notices a thief has caused before', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  const notice = { accountId: owner.id, text: 'noise', language: 'en', reference: 'r', kind: 'change' } as const
  const to = { e164: `+966${owner.phone.slice(1)}`, callingCode: '966' }
  const send = (): Promise<unknown> =>
    service.app.context.smsNotices.send({ ...notice, to }).then(
      () => 'sent',
      () => 'limited',
    )
  const sent = []
  for (let count = 0; count < 5; count++) sent.push(await send())
  t.ok(sent.includes('limited'))
  await changeAddress(world, owner, await owner.token())
  t.equal((await undoCodesTo(world, owner.phone)).length, 1)
})

void t.test('does not undo what an address that was verified before the number has confirmed', async (t) => {
  for (const confirms of ['consent', 'reset'] as const) {
    for (const isOlder of [true, false]) {
      const world = await openWorld(service)
      const owner = await world.person({ isEmailVerified: true })
      const at = (days: number): Date => new Date(world.service.clock.nowMs() - days * DAY_MS)
      const [emailVerifiedAt, phoneVerifiedAt] = isOlder ? [at(900), at(300)] : [at(300), at(900)]
      await prisma.account.update({ where: { id: owner.id }, data: { emailVerifiedAt, phoneVerifiedAt } })
      if (confirms === 'consent') {
        await changeAddress(world, owner, await owner.token())
        const [, consent = ''] = await tokensTo(world, owner.email, SUBJECTS.changed)
        t.equal((await world.send('confirmEmail')({ json: { by: 'token', token: consent } })).status, 200)
      } else {
        await changeNumber(world, owner.email, await owner.token())
        world.wait(60_000)
        t.equal(await resetBy.email(world, owner), 200)
      }
      const [code] = await undoCodesTo(world, owner.phone)
      t.equal(await undo(owner, code), isOlder ? 422 : 200, `${confirms}, ${String(isOlder)}`)
    }
  }
})

void t.test('does not restore a number that another account has verified meanwhile', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  await changeNumber(world, owner.email, await owner.token())
  const other = await world.person()
  const { phone } = await prisma.account.findUniqueOrThrow({ where: { id: other.id } })
  await prisma.account.update({ where: { id: other.id }, data: { phone: `+966${owner.phone.slice(1)}` } })
  const [code] = await undoCodesTo(world, owner.phone)
  t.equal(await undo(owner, code), 422)
  await prisma.account.update({ where: { id: other.id }, data: { phone } })
  t.equal(await undo(owner, code), 200, 'it remains valid')
})

void t.test('leaves the account to the owner of the number, whatever order a change and an undo have', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await openWorld(service)
    const owner = await world.person({ isEmailVerified: false })
    const token = await owner.token()
    await changeAddress(world, owner, token)
    const [code] = await undoCodesTo(world, owner.phone)
    const address = newAddress()
    const statuses = await Promise.all([undo(owner, code), putEmail(world, owner, token, address)])
    t.equal(statuses[0], 200)
    const { email } = await prisma.account.findUniqueOrThrow({ where: { id: owner.id } })
    t.equal(email, owner.email)
  }
})

void t.test('an owner who undoes by mistake loses nothing but the sessions', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: true })
  const address = await changeAddress(world, owner, await owner.token())
  t.equal(await undo(owner, (await undoCodesTo(world, owner.phone))[0]), 200)
  const [mail] = (await mailsTo(world, owner.email)).filter(({ subject }) => subject === SUBJECTS.undone)
  const token = /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0]
  const json = { by: 'email', token, password: NEW_PASSWORD }
  t.equal((await world.send('resetPassword')({ json })).status, 200, 'a link to a verified address sets a password')
  const login = tokensIn(await world.send('login')({ json: { email: owner.email, password: NEW_PASSWORD } }))
  await putEmail(world, owner, login.token, address)
  world.wait(60_000)
  await confirm(world, address, login.token)
  t.ok(await canLogIn(world, address, NEW_PASSWORD))
})

void t.test('a younger address of a thief does not end the code of the number before', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  const token = await owner.token()
  const email = await changeAddress(world, owner, token)
  await changeNumber(world, email, token)
  await settled(world)
  world.wait(80 * HOUR_MS)
  t.equal(await resetBy.email(world, { ...owner, email }), 200, 'the thief resets the password')
  t.equal(await undo(owner, (await undoCodesTo(world, owner.phone))[0]), 200)
  t.equal(await resetBy.phone(world, owner), 200)
  t.ok(await canLogIn(world, owner.email, resetBy.password))
})

void t.test('sends another code a day later, and each undoes both changes', async (t) => {
  for (const isFirst of [true, false]) {
    const world = await openWorld(service)
    const owner = await world.person({ isEmailVerified: false })
    const createdAt = new Date(world.service.clock.nowMs() - DAY_MS) // an address of the last hour is corrected, not replaced
    await prisma.account.update({ where: { id: owner.id }, data: { createdAt } })
    const between = await changeAddress(world, owner, await owner.token())
    await settled(world)
    world.wait(25 * HOUR_MS)
    const { token } = tokensIn(await world.send('login')({ json: { email: between, password: PASSWORD } }))
    await changeAddress(world, owner, token)
    const [last, first] = await undoCodesTo(world, owner.phone)
    t.equal(await undo(owner, isFirst ? first : last), 200)
    const { email } = await prisma.account.findUniqueOrThrow({ where: { id: owner.id } })
    t.equal(email, owner.email, 'an address in its waiting period is not restored')
    for (const each of [first, last]) t.equal(await undo(owner, each), 422, 'one ends the other')
  }
})

void t.test('restores the age of the number, so that a younger address does not replace its codes', async (t) => {
  const { context } = service.app
  const before = context.smsReset
  for (const each of [context, second.context]) each.smsReset = 'unless-email-verified'
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: true })
  const hoursAgo = (hours: number): Date => new Date(world.service.clock.nowMs() - hours * HOUR_MS)
  const ages = { phoneVerifiedAt: hoursAgo(1000), emailVerifiedAt: hoursAgo(100), emailRecoversFrom: hoursAgo(28) }
  await prisma.account.update({ where: { id: owner.id }, data: ages })
  await changeNumber(world, owner.email, await owner.token())
  t.equal(await undo(owner, (await undoCodesTo(world, owner.phone))[0]), 200)
  t.match(await prisma.account.findUniqueOrThrow({ where: { id: owner.id } }), ages)
  const { length } = (await mailsTo(world, owner.email)).filter(({ subject }) => subject === SUBJECTS.undone)
  t.equal(length, 0, 'no link to an address that is younger than the number')
  world.wait(60_000)
  t.equal(await resetBy.phone(world, owner), 200)
  for (const each of [context, second.context]) each.smsReset = before
})

void t.test('undoes changes of a suspended account, which gives no entry', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  await changeAddress(world, owner, await owner.token())
  const [code] = await undoCodesTo(world, owner.phone)
  await prisma.account.update({ where: { id: owner.id }, data: { status: 'suspended' } })
  t.equal(await undo(owner, code), 200)
  t.match(await prisma.account.findUniqueOrThrow({ where: { id: owner.id } }), {
    email: owner.email,
    status: 'suspended',
  })
  t.not(await resetBy.phone(world, owner), 200)
})

void t.test('an undone reset by phone ends the codes of the number', async (t) => {
  const world = await openWorld(service)
  const owner = await establishedPerson(world)
  const code = 'K7QD2MXAR5'
  const tokenHash = service.app.context.undoCodes.hash(`+966${owner.phone.slice(1)}`, code)
  const { id: accountId, email } = owner
  const expiresAt = new Date(world.service.clock.nowMs() + DAY_MS)
  const phone = `+966${owner.phone.slice(1)}`
  await prisma.emailToken.create({ data: { tokenHash, accountId, purpose: 'undo_by_phone', email, phone, expiresAt } })
  t.equal(await resetBy.phone(world, owner), 200)
  const json = { token: await tokenFor(world, owner.email) }
  t.equal((await world.send('undoChanges')({ json: { by: 'token', ...json } })).status, 200)
  t.equal(await undo(owner, code), 422)
})
