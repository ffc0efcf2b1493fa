// An address that has replaced another one less than 72 hours ago neither takes nor locks the account.
import t, { type Test } from 'tap'
import { newAddress, putEmail, SUBJECTS, tokensTo, verificationTo } from '../../support/accounts/emails.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { codeFor, establishedPerson, mailsTo, resetBy, tokenFor } from '../../support/accounts/resets.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const HOUR_MS = 3_600_000
const HOLD_MS = 72 * HOUR_MS
const NEW_PASSWORD = 'olive3kayak'

const service = await sharedService()
const { prisma } = service.database

type Theft = Readonly<{ world: World; owner: Person; thief: string; stolen: string }>

/** A thief with a fresh token of an account gives it another address, and confirms it. */
async function theft({ isEmailVerified }: { isEmailVerified: boolean }): Promise<Theft> {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified })
  const longAgo = new Date(service.clock.nowMs() - 30 * 24 * HOUR_MS)
  await prisma.account.update({ where: { id: owner.id }, data: { createdAt: longAgo } })
  const stolen = await owner.token()
  const thief = newAddress()
  await change(world, owner, stolen, thief)
  return { world, owner, thief, stolen }
}

async function change(world: World, owner: Person, token: string, address: string): Promise<void> {
  await putEmail(world, owner, token, address)
  const json = { by: 'token', token: (await verificationTo(world, address)).token }
  const { status, body } = await world.send('confirmEmail')({ json })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

const statusOf = async (world: World, email: string, password: string): Promise<number> =>
  (await world.send('login')({ json: { email, password } })).status

/** The owner logs in with the own address, and that of the thief gets nothing, also after the waiting period. */
async function ownerIsIn(t: Test, { world, owner, thief, stolen }: Theft, password: string): Promise<void> {
  t.equal(await statusOf(world, owner.email, password), 200)
  t.equal(await statusOf(world, thief, password), 401)
  t.equal((await world.send('checkToken')({ token: stolen })).status, 401)
  world.wait(HOLD_MS + HOUR_MS)
  const before = (await mailsTo(world, thief)).length
  await world.send('requestPasswordReset')({ json: { by: 'email', email: thief } })
  t.equal((await mailsTo(world, thief)).length, before)
  t.equal(await statusOf(world, owner.email, password), 200)
}

for (const isEmailVerified of [false, true]) {
  const what = isEmailVerified ? 'a verified address' : 'an address that was never verified'
  void t.test(`a reset by SMS restores ${what}`, async (t) => {
    const { smsReset } = service.app.context
    service.app.context.smsReset = 'yes'
    t.teardown(() => (service.app.context.smsReset = smsReset))
    const set = await theft({ isEmailVerified })
    t.equal(await resetBy.phone(set.world, set.owner), 200)
    const notices = await mailsTo(set.world, set.owner.email)
    t.ok(notices.some(({ subject }) => /password was (changed|reset)/.test(subject ?? '')))
    await ownerIsIn(t, set, resetBy.password)
  })

  for (const act of ['changePassword', 'revokeOtherSessions', 'PUT with a password'] as const) {
    void t.test(`${act} of the owner restores ${what}`, async (t) => {
      const world = await openWorld(service)
      const owner = await world.person({ isEmailVerified })
      await prisma.account.update({ where: { id: owner.id }, data: { createdAt: new Date(0) } })
      const [own, stolen] = [await owner.token(), await owner.token()]
      const thief = newAddress()
      await change(world, owner, stolen, thief)
      const json = { current_password: PASSWORD, new_password: NEW_PASSWORD }
      if (act === 'changePassword') t.equal((await world.send(act)({ token: own, json })).status, 200)
      else if (act === 'revokeOtherSessions') t.equal((await world.send(act)({ token: own })).status, 200)
      else {
        const raw = JSON.stringify({ password: NEW_PASSWORD })
        const patch = { raw, type: 'application/merge-patch+json', token: own }
        t.equal((await world.send('patchProfile')(patch)).status, 200)
      }
      const password = act === 'revokeOtherSessions' ? PASSWORD : NEW_PASSWORD
      await ownerIsIn(t, { world, owner, thief, stolen }, password)
    })
  }
}

for (const requested of ['before the change', 'after the change'] as const) {
  void t.test(`a link that was sent to the former address ${requested} resets the password`, async (t) => {
    const world = await openWorld(service)
    const owner = await world.person()
    const stolen = await owner.token()
    const request = { json: { by: 'email', email: owner.email } }
    if (requested === 'before the change') await world.send('requestPasswordReset')(request)
    const link = await tokenFor(world, owner.email)
    const thief = newAddress()
    await change(world, owner, stolen, thief)
    for (let changes = 0; changes < 3; changes++) await world.send('revokeOtherSessions')({ token: stolen })
    if (requested === 'after the change') await world.send('requestPasswordReset')(request)
    const sent = (await mailsTo(world, owner.email)).find(({ subject }) => subject === SUBJECTS.reset)
    const token = requested === 'before the change' ? link : (/^[\w-]{43}$/m.exec(sent?.text ?? '')?.[0] ?? '')
    const json = { by: 'email', token, password: NEW_PASSWORD }
    t.equal((await world.send('resetPassword')({ json })).status, 200)
    await ownerIsIn(t, { world, owner, thief, stolen }, NEW_PASSWORD)
  })
}

void t.test('the first of several addresses in the waiting period is restored', async (t) => {
  const set = await theft({ isEmailVerified: true })
  const { world, owner, stolen } = set
  world.wait(60_000)
  const last = newAddress()
  await change(world, owner, stolen, last)
  t.equal(await resetBy.email(world, owner), 200)
  await ownerIsIn(t, set, resetBy.password)
  t.equal(await statusOf(world, last, resetBy.password), 401)
})

void t.test('a thief who releases his address gives the former one back', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  await prisma.account.update({ where: { id: owner.id }, data: { createdAt: new Date(0) } })
  const thief = newAddress()
  await putEmail(world, owner, await owner.token(), thief)
  await world.send('requestPasswordReset')({ json: { by: 'email', email: thief } })
  const token = await tokenFor(world, thief)
  t.equal((await world.send('releaseEmail')({ json: { token } })).status, 200)
  t.equal(await statusOf(world, owner.email, PASSWORD), 200)
})

void t.test('the former address is reserved for the account, which can take it back', async (t) => {
  const { world, owner, stolen } = await theft({ isEmailVerified: true })
  const register = { json: clientRegistration({ email: owner.email }) }
  t.same((await world.send('register')(register)).body.data.codes, { email: ['email_taken'] })
  world.wait(60_000)
  t.equal((await putEmail(world, owner, stolen, owner.email)).status, 200)
})

void t.test('a replaced address is reserved for seven days, in which the change can be undone', async (t) => {
  const { world, owner } = await theft({ isEmailVerified: true })
  const register = { json: clientRegistration({ email: owner.email }) }
  world.wait(7 * 24 * HOUR_MS - 60_000)
  t.same((await world.send('register')(register)).body.data.codes, { email: ['email_taken'] })
  world.wait(2 * 60_000)
  t.equal((await world.send('register')(register)).status, 201)
})

void t.test('an address that its owner has not verified is reserved for 72 hours only', async (t) => {
  const { world, owner } = await theft({ isEmailVerified: false })
  world.wait(HOLD_MS + 60_000)
  t.equal((await world.send('register')({ json: clientRegistration({ email: owner.email }) })).status, 201)
})

void t.test('a former address that an operator has imported for another account stays there', async (t) => {
  const { smsReset } = service.app.context
  service.app.context.smsReset = 'yes'
  t.teardown(() => (service.app.context.smsReset = smsReset))
  const { world, owner, thief } = await theft({ isEmailVerified: true })
  const other = await world.person()
  await prisma.account.update({ where: { id: other.id }, data: { email: owner.email } })
  t.equal(await resetBy.phone(world, owner), 200)
  t.equal(await statusOf(world, owner.email, PASSWORD), 200, 'it is the other account')
  t.equal(await statusOf(world, thief, resetBy.password), 200)
})

void t.test('the former address can undo a reset by SMS', async (t) => {
  const { smsReset } = service.app.context
  service.app.context.smsReset = 'yes'
  t.teardown(() => (service.app.context.smsReset = smsReset))
  const world = await openWorld(service)
  const owner = await establishedPerson(world)
  await change(world, owner, await owner.token(), newAddress())
  t.equal(await resetBy.phone(world, owner), 200)
  const json = { token: await tokenFor(world, owner.email) }
  t.equal((await world.send('undoChanges')({ json: { by: 'token', ...json } })).status, 200)
})

void t.test('an address in its waiting period is no contact that a second factor needs', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isPhoneVerified: false })
  const token = await owner.token()
  await change(world, owner, token, newAddress())
  const received = await world.send('beginTotp')({ token, json: { password: PASSWORD } })
  t.equal(received.headers['error-code'], 'verified_contact_required')
})

void t.test(
  'an address that the former one has allowed to recover the account stays, also when it is suspended',
  async (t) => {
    const { smsReset } = service.app.context
    service.app.context.smsReset = 'yes'
    t.teardown(() => (service.app.context.smsReset = smsReset))
    const world = await openWorld(service)
    const owner = await establishedPerson(world)
    const [token, address] = [await owner.token(), newAddress()]
    await change(world, owner, token, address)
    const [, consent = ''] = await tokensTo(world, owner.email, SUBJECTS.changed)
    t.equal((await world.send('confirmEmail')({ json: { by: 'token', token: consent } })).status, 200)
    t.equal(await resetBy.phone(world, owner), 200)
    const again = await world.send('login')({ json: { email: address, password: resetBy.password } })
    t.equal((await world.send('revokeOtherSessions')({ token: tokensIn(again).token })).status, 200)
    t.equal(await statusOf(world, address, resetBy.password), 200)
  },
)

const HONEST: Readonly<Record<string, (world: World, token: string) => Promise<string>>> = {
  'a logout of other devices': async (world, token) => {
    t.equal((await world.send('revokeOtherSessions')({ token })).status, 200)
    return PASSWORD
  },
  'a change of the password': async (world, token) => {
    const json = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    t.equal((await world.send('changePassword')({ token, json })).status, 200)
    return NEW_PASSWORD
  },
  'a logout of other devices in the session that replaced it': async (world, token) => {
    const json = { method: 'password', password: PASSWORD }
    const renewed = tokensIn(await world.send('reauthenticate')({ token, json }))
    const again = tokensIn(await world.send('reauthenticate')({ token: renewed.token, json }))
    t.equal((await world.send('revokeOtherSessions')({ token: again.token })).status, 200)
    return PASSWORD
  },
}

for (const [name, act] of Object.entries(HONEST)) {
  void t.test(`${name} keeps the new address of the same device`, async (t) => {
    const world = await openWorld(service)
    const owner = await world.person()
    const [token, address] = [await owner.token(), newAddress()]
    await change(world, owner, token, address)
    const password = await act(world, token)
    t.equal(await statusOf(world, address, password), 200)
    t.equal(await statusOf(world, owner.email, password), 401)
  })
}

void t.test('an address that was mistyped at the registration is corrected for good', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  const [token, address] = [await owner.token(), newAddress()]
  await change(world, owner, token, address)
  const other = await world.send('login')({ json: { email: address, password: PASSWORD } })
  t.equal((await world.send('revokeOtherSessions')({ token: tokensIn(other).token })).status, 200)
  t.equal(await statusOf(world, address, PASSWORD), 200)
})

void t.test('an address is that of the account after its waiting period', async (t) => {
  const { world, owner, thief } = await theft({ isEmailVerified: true })
  world.wait(HOLD_MS + HOUR_MS)
  const { token } = tokensIn(await world.send('login')({ json: { email: thief, password: PASSWORD } }))
  t.equal((await world.send('revokeOtherSessions')({ token })).status, 200)
  t.equal(await statusOf(world, thief, PASSWORD), 200)
  const where = { id: owner.id }
  await prisma.account.update({ where, data: { formerEmailUntil: new Date(0) } }) // by the clock of the database
  await service.app.context.store.deleteExpired(1)
  t.match(await prisma.account.findUniqueOrThrow({ where }), { formerEmail: null, formerEmailVerifiedAt: null })
})

void t.test('leaves the account to its owner, whatever order a confirmation and a reset by SMS have', async (t) => {
  const { smsReset } = service.app.context
  service.app.context.smsReset = 'yes'
  t.teardown(() => (service.app.context.smsReset = smsReset))
  for (let round = 0; round < raceRounds(20); round++) {
    const world = await openWorld(service)
    const owner = await world.person({ isEmailVerified: false })
    await prisma.account.update({ where: { id: owner.id }, data: { createdAt: new Date(0) } })
    const [stolen, thief] = [await owner.token(), newAddress()]
    await putEmail(world, owner, stolen, thief)
    const { token } = await verificationTo(world, thief)
    const number = { phone: owner.phone, phone_code: '966' }
    await world.send('requestPasswordReset')({ json: { by: 'phone', ...number } })
    const otp = await codeFor(world, owner.phone)
    const json = { by: 'phone', ...number, otp, password: NEW_PASSWORD }
    const [reset] = await Promise.all([
      world.send('resetPassword')({ json }),
      world.send('confirmEmail')({ json: { by: 'token', token } }),
    ])
    t.equal(reset.status, 200)
    t.equal(await statusOf(world, owner.email, NEW_PASSWORD), 200)
    t.equal(await statusOf(world, thief, NEW_PASSWORD), 401)
  }
})
