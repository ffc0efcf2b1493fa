// A thief who steals an access token right after a login gains nothing permanent, on two instances.
import t, { type Test } from 'tap'
import { openApp } from '../../../src/app.ts'
import { newAddress, storedEmail, SUBJECTS, tokensTo, verificationTo } from '../../support/accounts/emails.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { raceRounds } from '../../support/timing/races.ts'
import { mailsTo, settled } from '../../support/accounts/resets.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import {
  openWorld,
  PASSWORD,
  sharedService,
  tokensIn,
  type Person,
  type Tokens,
  type World,
} from '../../support/service/world.ts'

const HOUR_MS = 3_600_000
const NEW_PASSWORD = 'olive3kayak'
const ROUNDS = raceRounds(100)

const service = await sharedService()
const { clock, database } = service
const second = await openApp(service.config, service.dependencies)
Object.assign(second.context.mail, service.app.context.mail) // either may send an e-mail of the other
t.teardown(() => second.close())
const secondOrigin = await second.server.listen({ host: '127.0.0.1', port: 0 })

type Instance = (id: Parameters<World['send']>[0]) => Send

type Stage = {
  world: World
  owner: Person
  /** The session that was stolen */
  stolen: Tokens
  /** The address of the thief */
  address: string
  here: Instance
  there: Instance
}

const DAY_MS = 86_400_000

/** The owner verified the number and then the address, both long ago; the thief has the tokens of a fresh session. */
async function stage(): Promise<Stage> {
  const world = await openWorld()
  const owner = await world.person()
  const data = {
    phoneVerifiedAt: new Date(Date.now() - 31 * DAY_MS),
    emailVerifiedAt: new Date(Date.now() - 30 * DAY_MS),
  }
  await world.service.database.prisma.account.update({ where: { id: owner.id }, data })
  const here: Instance = (id) => world.send(id)
  const there: Instance = (id) => sender(secondOrigin, id, world.address)
  const stolen = tokensIn(await here('login')({ json: { email: owner.email, password: PASSWORD } }))
  return { world, owner, stolen, address: newAddress(), here, there }
}

/** The thief changes the address; returns the tokens that both receive. */
async function change({ world, owner, stolen, address, here }: Stage): Promise<{ token: string; cancel: string }> {
  const form = clientForm({ email: address, phone: owner.phone })
  const { body } = await here('updateProfile')({ token: stolen.token, form })
  if (body.data.user?.pending_email !== address) throw new Error(JSON.stringify(body))
  const { token } = await verificationTo(world, address)
  const [cancel = ''] = await tokensTo(world, owner.email, SUBJECTS.change)
  return { token, cancel }
}

/** Does the same, and confirms the new address. */
async function confirmedChange(set: Stage): Promise<{ undo: string }> {
  const { token } = await change(set)
  await set.here('confirmEmail')({ json: { by: 'token', token } })
  const [undo = ''] = await tokensTo(set.world, set.owner.email, SUBJECTS.changed)
  return { undo }
}

/** The owner requests a new password at the original address. */
async function reset({ world, owner, there }: Stage): Promise<number> {
  await there('requestPasswordReset')({ json: { by: 'email', email: owner.email } })
  await second.context.background.settle()
  const mail = (await mailsTo(world, owner.email)).find(({ subject }) => subject === SUBJECTS.reset)
  const token = /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0] ?? ''
  return (await there('resetPassword')({ json: { by: 'email', token, password: NEW_PASSWORD } })).status
}

/** Everything that the thief has is invalid on both instances, and the owner can log in. */
async function ownerHasAll(t: Test, { world, owner, stolen, address, here, there }: Stage): Promise<void> {
  const json = { refresh_token: stolen.refresh }
  for (const instance of [here, there]) {
    t.equal((await instance('getProfile')({ token: stolen.token })).status, 401)
    t.equal((await instance('refreshToken')({ json })).status, 401)
    for (const email of [owner.email, address]) {
      t.equal((await instance('login')({ json: { email, password: PASSWORD } })).status, 401)
    }
  }
  const mails = (await mailsTo(world, address)).length
  await here('requestPasswordReset')({ json: { by: 'email', email: address } })
  t.equal((await mailsTo(world, address)).length, mails, 'the address of the thief cannot reset the password')
  const login = await there('login')({ json: { email: owner.email, password: NEW_PASSWORD } })
  t.equal(login.status, 200)
  const { body } = await here('getProfile')({ token: tokensIn(login).token })
  t.match(body.data.user, { email: owner.email, email_verified: true, pending_email: null, phone_verified: true })
}

void t.test('lets the owner cancel a change of the address by a thief', async (t) => {
  const set = await stage()
  const { token, cancel } = await change(set)
  t.equal((await set.there('cancelEmailChange')({ json: { token: cancel } })).status, 200)
  t.equal((await set.here('confirmEmail')({ json: { by: 'token', token } })).status, 422)
  t.equal(await reset(set), 200)
  await ownerHasAll(t, set)
})

void t.test('ends a pending change by a new password', async (t) => {
  const set = await stage()
  const { token, cancel } = await change(set)
  t.equal(await reset(set), 200)
  t.equal((await set.here('confirmEmail')({ json: { by: 'token', token } })).status, 422)
  t.equal((await set.there('cancelEmailChange')({ json: { token: cancel } })).status, 422, 'there is nothing to cancel')
  await ownerHasAll(t, set)
})

void t.test('lets the owner undo a confirmed change six days later', async (t) => {
  const set = await stage()
  const { undo } = await confirmedChange(set)
  set.world.wait(6 * 24 * HOUR_MS)
  const undone = await set.there('cancelEmailChange')({ json: { token: undo } })
  t.same(undone.body.data, { undone: true })
  t.equal(await reset(set), 200)
  await ownerHasAll(t, set)
})

/** Requests the deletion of the account with the password, and logs in again. Returns the new tokens. */
async function requestDeletion({ here }: Stage, email: string): Promise<Tokens> {
  const login = async (): Promise<Tokens> => tokensIn(await here('login')({ json: { email, password: PASSWORD } }))
  const { token } = await login()
  const { status } = await here('requestAccountDeletion')({ token, json: { password: PASSWORD } })
  if (status !== 202) throw new Error(`the deletion was not scheduled: ${status}`)
  return login()
}

/** Returns whether the deletion of the account is scheduled, and whether it was cancelled. */
async function deletionOf({ owner }: Stage): Promise<{ isScheduled: boolean; isCancelled: boolean }> {
  const { prisma } = database
  const { deletionDueAt } = await prisma.account.findUniqueOrThrow({ where: { id: owner.id } })
  const events = await prisma.auditEvent.count({ where: { accountId: owner.id, event: 'deletion_cancelled' } })
  return { isScheduled: deletionDueAt !== null, isCancelled: events > 0 }
}

void t.test('an undone change cancels a deletion of which only the new address was notified', async (t) => {
  const set = await stage()
  const { undo } = await confirmedChange(set)
  const deletion = { token: set.stolen.token, json: { password: PASSWORD } }
  t.equal((await set.here('requestAccountDeletion')(deletion)).status, 202)
  t.equal((await set.there('cancelEmailChange')({ json: { token: undo } })).status, 200)
  t.same(await deletionOf(set), { isScheduled: false, isCancelled: true })
  t.equal(await reset(set), 200)
  await ownerHasAll(t, set)
})

void t.test('an undone change leaves a deletion of which the owner was notified', async (t) => {
  const set = await stage()
  const stolen = await requestDeletion(set, set.owner.email)
  set.world.wait(HOUR_MS / 60)
  const { undo } = await confirmedChange({ ...set, stolen })
  t.equal((await set.there('cancelEmailChange')({ json: { token: undo } })).status, 200)
  t.same(await deletionOf(set), { isScheduled: true, isCancelled: false })
})

/** Replaces the address once more, in a session, and confirms it. */
async function changeAgain({ world, owner, here }: Stage, token: string, email: string): Promise<void> {
  const { body } = await here('updateProfile')({ token, form: clientForm({ email, phone: owner.phone }) })
  const json = { by: 'token', token: (await verificationTo(world, email)).token }
  const { status } = await here('confirmEmail')({ json })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

void t.test('undoes the first of two changes of the address', async (t) => {
  const set = await stage()
  const { world, stolen, there } = set
  const { undo } = await confirmedChange(set)
  world.wait(60_000)
  await changeAgain(set, stolen.token, newAddress())
  t.equal((await there('cancelEmailChange')({ json: { token: undo } })).status, 200)
  t.equal(await reset(set), 200)
  await ownerHasAll(t, set)
})

for (const verifiedHoursAgo of [1, 100]) {
  void t.test(
    `gives no link to a new address that the owner replaces, ${verifiedHoursAgo} h after the first`,
    async (t) => {
      const set = await stage()
      const { world, owner, address, there } = set
      const emailVerifiedAt = new Date(clock.nowMs() - verifiedHoursAgo * HOUR_MS)
      await database.prisma.account.update({ where: { id: owner.id }, data: { emailVerifiedAt } })
      const own = tokensIn(await there('login')({ json: { email: owner.email, password: PASSWORD } }))
      const { undo } = await confirmedChange(set)
      const recent = tokensIn(await there('login')({ json: { email: address, password: PASSWORD } }))
      await changeAgain(set, recent.token, owner.email)
      const toThief = await mailsTo(world, address)
      t.match(
        toThief.map(({ subject }) => subject),
        [SUBJECTS.changed, SUBJECTS.change],
      )
      t.notMatch(
        toThief
          .slice(0, 2)
          .map(({ text }) => text)
          .join(),
        /[\w-]{43}/,
      )
      t.equal((await there('revokeOtherSessions')({ token: recent.token })).status, 200)
      t.equal((await there('getProfile')({ token: own.token })).status, 401)
      t.match(await storedEmail(world, owner.id), { email: owner.email, pendingEmail: null })
      t.equal((await there('cancelEmailChange')({ json: { token: undo } })).status, 200, 'the owner can still undo')
      t.equal(await reset(set), 200)
      await ownerHasAll(t, set)
    },
  )
}

void t.test('the thief cannot register the old address while the change can be undone', async (t) => {
  const set = await stage()
  const { owner, world, here, there } = set
  const { undo } = await confirmedChange(set)
  const squatter = { account_type: 'client', name: 'x', email: owner.email, password: NEW_PASSWORD }
  const register = { json: { ...squatter, phone: '01099999999', phone_code: '20' } }
  for (const hours of [0, 73]) {
    world.wait(hours * HOUR_MS)
    t.same((await here('register')(register)).body.data.codes, { email: ['email_taken'] })
  }
  t.equal((await there('cancelEmailChange')({ json: { token: undo } })).status, 200)
  t.equal(await reset(set), 200)
  await ownerHasAll(t, set)
})

void t.test(
  'announces every change to the old address and number, at most three times a day by SMS, beside the first with a code',
  async (t) => {
    const { world, owner, stolen, here } = await stage()
    const { token } = stolen
    for (let changes = 0; changes < 4; changes++) {
      const phone = world.newPhone()
      await here('checkPhone')({ form: { phone_code: '966', phone } })
      const otp = world.codesTo(phone)[0] ?? ''
      const updated = await here('updateProfile')({ token, form: clientForm({ email: owner.email, phone }, { otp }) })
      t.equal(updated.status, 200)
      await settled(world)
      const last = `+966***${phone.slice(-3)}`
      t.match((await mailsTo(world, owner.email))[0], { subject: 'Your phone number was changed', text: last })
    }
    t.match(world.textsTo(owner.phone), [/The phone number of your Tawthiq account was changed/])
    const notices = (service.app.outbox?.messages ?? []).filter(
      ({ to, text }) => to.startsWith('+966') && text.startsWith('The phone number of your Tawthiq account'),
    )
    t.equal(notices.filter(({ text }) => !text.includes('Code:')).length, 3)
    t.equal(notices.length, 4)
    const where = { accountId: owner.id, event: 'phone_changed' }
    t.equal(await database.prisma.auditEvent.count({ where }), 4)
  },
)

void t.test('sends no notice to a number that was never verified, which can belong to someone else', async (t) => {
  const world = await openWorld()
  const person = await world.person({ isEmailVerified: false })
  const data = { phoneVerifiedAt: null, phoneRecoversFrom: null }
  await world.service.database.prisma.account.update({ where: { id: person.id }, data })
  const form = clientForm({ email: newAddress(), phone: person.phone })
  t.equal((await world.send('updateProfile')({ token: await person.token(), form })).status, 200)
  t.match(await mailsTo(world, person.email), [{ subject: 'Your e-mail address was changed' }])
  t.same(world.textsTo(person.phone), [])
})

void t.test('replaces an unverified address at once and notifies the old one', async (t) => {
  const world = await openWorld()
  const person = await world.person({ isEmailVerified: false })
  const [token, email] = [await person.token(), newAddress()]
  const form = clientForm({ email, phone: person.phone })
  const { body } = await world.send('updateProfile')({ token, form })
  t.match(body.data.user, { email, email_verified: false, pending_email: null })
  const mails = await mailsTo(world, person.email)
  t.match(mails, [{ subject: 'Your e-mail address was changed' }])
  t.notMatch(mails[0]?.text, /[\w-]{43}/, 'no token, because the old address was never verified')
  t.match(world.textsTo(person.phone)[0], /e-mail address/)
  t.match(await verificationTo(world, email), { token: /./ })
  const { emailRecoversFrom, emailChangedAt } = await storedEmail(world, person.id)
  t.equal(emailRecoversFrom, null)
  t.ok(emailChangedAt)
})

void t.test('sends nothing for the stored and the pending address', async (t) => {
  const set = await stage()
  const { world, owner, stolen, address, here } = set
  await change(set)
  const sent = async (): Promise<number> =>
    (await mailsTo(world, owner.email)).length + (await mailsTo(world, address)).length
  const before = await sent()
  for (const email of [owner.email, ` ${address.toUpperCase()} `]) {
    const form = clientForm({ email, phone: owner.phone })
    const { body } = await here('updateProfile')({ token: stolen.token, form })
    t.match(body.data.user, { email: owner.email, pending_email: address })
  }
  t.equal(await sent(), before)
})

void t.test('replaces an address at once without a mail server', async (t) => {
  const { world, owner, stolen, address, here } = await stage()
  const { context } = service.app
  const { mail } = context
  context.mail = { ...mail, isOffered: false }
  const form = clientForm({ email: address, phone: owner.phone })
  const { body } = await here('updateProfile')({ token: stolen.token, form })
  context.mail = mail
  t.match(body.data.user, { email: address, email_verified: false, pending_email: null })
  t.equal((await storedEmail(world, owner.id)).emailRecoversFrom, null)
})

/** Runs both at once on two instances, in reverse order every second time. */
async function race<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  if (round % 2 === 0) return Promise.all([one(), other()])
  const [second, first] = await Promise.all([other(), one()])
  return [first, second]
}

void t.test('cancels a change that is confirmed concurrently', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const set = await racer()
    const [confirmed, cancelled] = await race(
      round,
      () => set.here('confirmEmail')({ json: { by: 'token', token: set.verify } }),
      () => set.there('cancelEmailChange')({ json: { token: set.cancel } }),
    )
    t.equal(cancelled.status, 200)
    const { undone } = cancelled.body.data as { undone: boolean }
    t.equal(confirmed.status, undone ? 200 : 422)
    const { email, pendingEmail } = await storedEmail(set.world, set.id)
    t.same([email, pendingEmail], [set.email, null])
  }
})

void t.test('applies one of a concurrent confirmation and reset', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const set = await racer()
    const resetToken = `reset ${set.email}`
    await database.prisma.passwordReset.create({
      data: { tokenHash: hashOf(resetToken), accountId: set.id, expiresAt: new Date(clock.nowMs() + HOUR_MS) },
    })
    const json = { by: 'email', token: resetToken, password: NEW_PASSWORD }
    const [confirmed, done] = await race(
      round,
      () => set.here('confirmEmail')({ json: { by: 'token', token: set.verify } }),
      () => set.there('resetPassword')({ json }),
    )
    t.ok(
      [200, 422].includes(done.status) && [200, 422].includes(confirmed.status),
      `${confirmed.status} ${done.status}`,
    )
    const links = await database.prisma.passwordReset.count({ where: { accountId: set.id } })
    if (done.status === 200) t.equal(links, 0)
    const { email, pendingEmail } = await storedEmail(set.world, set.id)
    t.equal(pendingEmail, null)
    t.equal(email === set.email, done.status === 200, 'the thief has the account only if the confirmation was first')
  }
})

void t.test('confirms an address for one of two concurrent accounts', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const address = newAddress()
    const [one, other] = [await racer(address), await racer(address)]
    const statuses = await race(
      round,
      async () => (await one.here('confirmEmail')({ json: { by: 'token', token: one.verify } })).status,
      async () => (await other.there('confirmEmail')({ json: { by: 'token', token: other.verify } })).status,
    )
    t.same(statuses.sort(), [200, 422])
    t.equal(await database.prisma.account.count({ where: { email: address } }), 1)
  }
})

void t.test('leaves no session active after an undo', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const set = await racer()
    const login = { json: { email: set.email, password: PASSWORD } }
    const token = `undo ${set.email}`
    const expiresAt = new Date(clock.nowMs() + HOUR_MS)
    await database.prisma.emailToken.create({
      data: { tokenHash: hashOf(token), accountId: set.id, purpose: 'undo', email: set.email, expiresAt },
    })
    const [, undone] = await race(
      round,
      () => Promise.all([set.here('login')(login), set.there('login')(login)]),
      () => set.there('cancelEmailChange')({ json: { token } }),
    )
    t.equal(undone.status, 200)
    t.equal(await database.prisma.session.count({ where: { accountId: set.id, endedAt: null } }), 0)
  }
})

const { hash: hashOf } = service.app.context.emailTokens

/** A person with a pending change, whose tokens are stored directly instead of mailed. */
async function racer(address = newAddress()): Promise<{
  world: World
  id: number
  email: string
  verify: string
  cancel: string
  here: Instance
  there: Instance
}> {
  const world = await openWorld()
  const { id, email } = await world.person({ isEmailVerified: true })
  await database.prisma.account.update({ where: { id }, data: { pendingEmail: address } })
  const expiresAt = new Date(clock.nowMs() + HOUR_MS)
  const [verify, cancel] = [`verify ${id}`, `cancel ${id}`]
  await database.prisma.emailToken.createMany({
    data: [
      { tokenHash: hashOf(verify), accountId: id, purpose: 'verify', email: address, expiresAt },
      { tokenHash: hashOf(cancel), accountId: id, purpose: 'cancel', email, verifiedAt: new Date(), expiresAt },
    ],
  })
  const there: Instance = (operation) => sender(secondOrigin, operation, world.address)
  return { world, id, email, verify, cancel, here: (operation) => world.send(operation), there }
}
