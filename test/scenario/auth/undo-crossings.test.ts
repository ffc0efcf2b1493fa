// Undo beside other ways into an account: changes back, resets, grants, releases, failed messages, and rows without a state.
import t from 'tap'
import { newAddress, putEmail, SUBJECTS, tokensTo, verificationTo } from '../../support/accounts/emails.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import {
  codeFor,
  establishedPerson,
  mailsTo,
  resetBy,
  resetTokenFor,
  settled,
  tokenFor,
} from '../../support/accounts/resets.ts'
import { establish, protectedPerson, type Protected } from '../../support/accounts/second-factors.ts'
import { changeNumber, undoBy, undoCodesTo, unknownUndo } from '../../support/accounts/undos.ts'
import type { Received } from '../../support/service/responses.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Longer than between two messages to one recipient */
const PAUSE_MS = 120_000
const NEW_PASSWORD = 'olive-harbour-58-lantern'
const service = await sharedService()
const { prisma } = service.database
const { administration } = service.app.context.store
const auditContext = { subject: null, address: null, requestId: null }

const ago = (ms: number): Date => new Date(Date.now() - ms)
const stored = (id: number): ReturnType<typeof prisma.account.findUniqueOrThrow> =>
  prisma.account.findUniqueOrThrow({ where: { id } })

/** Adds a person whose number was verified before the address, both long before. */
async function newOwner(world: World): Promise<Person> {
  const person = await establishedPerson(world)
  await prisma.account.update({ where: { id: person.id }, data: { phoneVerifiedAt: ago(60 * DAY_MS) } })
  return person
}

async function newProtected(world: World): Promise<Protected> {
  const owner = await protectedPerson(world, await newOwner(world))
  await establish(world, owner.person)
  return owner
}

async function changeAddress(world: World, person: Person, token: string, email = newAddress()): Promise<string> {
  await putEmail(world, person, token, email)
  const verification = await verificationTo(world, email)
  const { status, body } = await world.send('confirmEmail')({ token, json: { by: 'token', token: verification.token } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return email
}

/** Returns the token after the change. */
async function changePassword(world: World, token: string): Promise<string> {
  const json = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  return tokensIn(await world.send('changePassword')({ token, json })).token
}

async function logIn(world: World, email: string, password = PASSWORD, code?: string): Promise<string> {
  return tokensIn(await world.send('login')({ json: { email, password, ...(code && { code }) } })).token
}

/** Returns the tokens that undo changes and were sent to an address, the newest first. */
async function linksTo(world: World, email: string): Promise<string[]> {
  return (await mailsTo(world, email)).flatMap(
    ({ text }) => /undo it (?:here|with this token)[^]*?\n([\w-]{43})$/m.exec(text)?.[1] ?? [],
  )
}

const byLink = (world: World, token: string | undefined): Promise<Received> =>
  world.send('undoChanges')({ json: { by: 'token', token: token ?? '' } })
const byCode = (world: World, phone: string, otp: string | undefined): Promise<Received> =>
  world.send('undoChanges')({ json: undoBy(phone, otp) })

for (const by of ['link', 'code'] as const) {
  void t.test(`the owner changes the address back, and then uses the ${by} of the theft`, async (t) => {
    const world = await openWorld(service)
    const owner = await newOwner(world)
    const thiefs = await changeAddress(world, owner, await owner.token())
    const [[link], [code]] = [await linksTo(world, owner.email), await undoCodesTo(world, owner.phone)]
    world.wait(80 * HOUR_MS)
    t.equal(await resetBy.phone(world, owner), 200)
    await changeAddress(world, owner, await logIn(world, thiefs, resetBy.password), owner.email)
    t.equal((by === 'link' ? await byLink(world, link) : await byCode(world, owner.phone, code)).status, 200)
    t.equal((await stored(owner.id)).email, owner.email)
    t.equal(await resetBy.email(world, { ...owner, email: thiefs }), 422, 'the address of the thief resets nothing')
  })
}

void t.test('an address that is younger than the number undoes no reset by the number', async (t) => {
  for (const isBefore of [true, false]) {
    const world = await openWorld(service)
    const owner = await newOwner(world)
    const thiefs = await changeAddress(world, owner, await owner.token())
    const [code] = await undoCodesTo(world, owner.phone)
    world.wait(80 * HOUR_MS)
    if (isBefore) await changePassword(world, await logIn(world, thiefs))
    t.equal((await linksTo(world, thiefs)).length, isBefore ? 1 : 0)
    t.equal(await resetBy.phone(world, owner), 200)
    t.equal((await linksTo(world, thiefs)).length, isBefore ? 1 : 0, 'the reset sends it none')
    for (const each of await linksTo(world, thiefs)) t.equal((await byLink(world, each)).status, 422)
    await logIn(world, thiefs, resetBy.password)
    world.wait(PAUSE_MS)
    t.equal(await resetBy.phone(world, owner), 200, 'the number is not suspended')
    t.equal((await byCode(world, owner.phone, code)).status, 200, 'its code is valid')
  }
})

void t.test('a code ends the links of younger addresses', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  const thiefs = await changeAddress(world, owner, await owner.token())
  const [code] = await undoCodesTo(world, owner.phone)
  world.wait(80 * HOUR_MS)
  await changePassword(world, await logIn(world, thiefs))
  const [link] = await linksTo(world, thiefs)
  t.ok(link)
  t.equal((await byCode(world, owner.phone, code)).status, 200)
  t.equal((await byLink(world, link)).status, 422)
})

void t.test('a reset by the former address sends no code to a younger number, and ends those it has', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  const phone = await changeNumber(world, owner.email, await owner.token())
  world.wait(80 * HOUR_MS)
  await changeAddress(world, { ...owner, phone }, await logIn(world, owner.email))
  t.equal((await undoCodesTo(world, phone)).length, 1)
  await world.send('requestPasswordReset')({ json: { by: 'email', email: owner.email } })
  const [token] = await tokensTo(world, owner.email, SUBJECTS.reset)
  const json = { by: 'email', token, password: resetBy.password }
  t.equal((await world.send('resetPassword')({ json })).status, 200)
  const codes = await undoCodesTo(world, phone)
  t.equal(codes.length, 1)
  t.equal((await byCode(world, phone, codes[0])).status, 422)
  await logIn(world, owner.email, resetBy.password)
})

void t.test('factors from before a grant do not count for administrators after an undo', async (t) => {
  const world = await openWorld(service)
  const { person, token, nextCode } = await newProtected(world)
  await changePassword(world, token)
  const [link] = await linksTo(world, person.email)
  const action = { accountId: person.id, actor: 'command line', reason: 'test', auditContext } as const
  await administration.setAdmin(action, true)
  const session = await logIn(world, person.email, NEW_PASSWORD, nextCode())
  t.equal((await world.send('removeTotp')({ token: session, json: { code: nextCode() } })).status, 200)
  t.equal((await byLink(world, link)).status, 200)
  const { factorsSince, factorsVouched } = await stored(person.id)
  t.ok(factorsSince)
  t.equal(factorsVouched, false)
})

void t.test('a recovery code that has proven the change stays used', async (t) => {
  const world = await openWorld(service)
  const { person, token, recoveryCodes } = await newProtected(world)
  const session = await changePassword(world, token)
  const renewed = await world.send('renewRecoveryCodes')({ token: session, json: { code: recoveryCodes[0] } })
  t.equal(renewed.status, 200)
  const links = await linksTo(world, person.email)
  t.equal((await byLink(world, links[0])).status, 200)
  const factors = await prisma.secondFactors.findUniqueOrThrow({ where: { accountId: person.id } })
  t.equal(factors.recoveryCodes.length, recoveryCodes.length - 1)
})

void t.test('a code of the registrant does not bring a released address back', async (t) => {
  for (const isTaken of [true, false]) {
    const world = await openWorld(service)
    const registrant = await world.person({ isEmailVerified: false })
    const token = await registrant.token()
    await world.send('requestEmailVerification')({ token, json: {} })
    const verification = await verificationTo(world, registrant.email)
    await world.send('confirmEmail')({ json: { by: 'token', token: verification.token } })
    await changePassword(world, token)
    const [code] = await undoCodesTo(world, registrant.phone)
    await world.send('requestPasswordReset')({ json: { by: 'email', email: registrant.email } })
    const claim = await tokenFor(world, registrant.email)
    t.equal((await world.send('releaseEmail')({ json: { token: claim } })).status, 200)
    const other = await world.person({ isEmailVerified: false })
    if (isTaken) await prisma.account.update({ where: { id: other.id }, data: { email: registrant.email } })
    t.equal((await byCode(world, registrant.phone, code)).status, 200)
    t.not((await stored(registrant.id)).email, registrant.email)
    if (isTaken) t.equal((await stored(other.id)).email, registrant.email)
  }
})

void t.test('the link of a restored address works, also if a reset by phone has suspended it', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person()
  const [address, number] = [ago(10 * HOUR_MS), ago(5 * HOUR_MS)]
  const ages = {
    emailVerifiedAt: address,
    emailRecoversFrom: address,
    phoneVerifiedAt: number,
    phoneRecoversFrom: number,
  }
  await prisma.account.update({ where: { id: owner.id }, data: ages })
  await changePassword(world, await owner.token())
  const [link] = await linksTo(world, owner.email)
  t.equal(await resetBy.phone(world, owner), 200)
  t.equal((await byLink(world, link)).status, 200)
  const [token] = await tokensTo(world, owner.email, SUBJECTS.undone)
  t.equal((await world.send('resetPassword')({ json: { by: 'email', token, password: NEW_PASSWORD } })).status, 200)
})

void t.test('sends a code with the next change if the first SMS has failed', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  const { smsNotices } = service.app.context
  const { send } = smsNotices
  const token = await owner.token()
  smsNotices.send = () => Promise.reject(new Error('the provider is down'))
  const session = await changePassword(world, token)
  await settled(world)
  smsNotices.send = send
  world.wait(PAUSE_MS)
  const phone = await changeNumber(world, owner.email, session)
  const codes = await undoCodesTo(world, owner.phone)
  t.equal(codes.length, 1)
  t.equal((await byCode(world, owner.phone, codes[0])).status, 200)
  t.not((await stored(owner.id)).phone.slice(-9), phone.slice(-9))
})

void t.test('sends one code for several changes of one request', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person({ isEmailVerified: false })
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const changes = { otp: await codeFor(world, phone), password: NEW_PASSWORD }
  const form = clientForm({ email: newAddress(), phone }, changes)
  t.equal((await world.send('updateProfile')({ token: await owner.token(), form })).status, 200)
  t.equal((await undoCodesTo(world, owner.phone)).length, 1)
})

void t.test('a proof without a state of the number or of the factors does not hide later ones', async (t) => {
  for (const isOf020 of [true, false]) {
    const world = await openWorld(service)
    const { person, token, nextCode } = await newProtected(world)
    const action = { accountId: person.id, actor: 'command line', reason: 'test', auditContext } as const
    const { id } = person
    if (!isOf020)
      await administration.scheduleFactorReset(action, { cancelHash: unknownUndo().tokenHash, toMails: () => [] })
    const session = await changePassword(world, token)
    if (isOf020) {
      const unknown = { phone: null, phoneCode: null, phoneVerifiedAt: null, byLink: null, totpSecret: null }
      await prisma.emailToken.updateMany({ where: { accountId: id }, data: unknown })
      await service.database.pool.query('UPDATE email_tokens SET factors = NULL WHERE account_id = $1', [id])
    } else await prisma.account.update({ where: { id }, data: { factorsResetAt: null, factorsResetBySupport: false } })
    world.wait(PAUSE_MS)
    t.equal((await world.send('removeTotp')({ token: session, json: { code: nextCode() } })).status, 200)
    const { phone } = await stored(id)
    await changeNumber(world, person.email, session)
    const links = await linksTo(world, person.email)
    t.equal((await byLink(world, links[0])).status, 200)
    const account = await stored(id)
    t.equal(account.phone, phone)
    t.ok(account.factorsSince)
  }
})

void t.test('an undo cancels a pending reset of the factors once', async (t) => {
  for (const isKept of [false, true]) {
    const world = await openWorld(service)
    const { person, token } = await newProtected(world)
    await changePassword(world, token)
    const action = { accountId: person.id, actor: 'command line', reason: 'test', auditContext } as const
    await administration.scheduleFactorReset(action, { cancelHash: unknownUndo().tokenHash, toMails: () => [] })
    if (isKept) await prisma.account.update({ where: { id: person.id }, data: { factorsKeptAt: new Date() } })
    const [link] = await linksTo(world, person.email)
    t.equal((await byLink(world, link)).status, 200)
    const account = await stored(person.id)
    t.equal(account.factorsResetAt !== null, isKept)
    t.equal(account.factorsResetBySupport, isKept)
    t.ok(account.factorsKeptAt)
    const events = await prisma.auditEvent.count({ where: { accountId: person.id, event: 'factor_reset_cancelled' } })
    t.equal(events, isKept ? 0 : 1)
  }
})

void t.test('the undo of a suspended account sends the link that sets a password when it is restored', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  await changePassword(world, await owner.token())
  const [link] = await linksTo(world, owner.email)
  const user = {
    path: { user_id: String(owner.id) },
    json: { reason: 'a report' },
    token: await (await world.person({ isAdmin: true })).token(),
  }
  t.equal((await world.send('adminSuspendUser')(user)).status, 200)
  t.equal((await byLink(world, link)).status, 200)
  t.same(await tokensTo(world, owner.email, SUBJECTS.undone), [])
  t.equal((await world.send('adminRestoreUser')(user)).status, 200)
  const json = { by: 'email', token: await resetTokenFor(world, owner.email), password: resetBy.password }
  t.equal((await world.send('resetPassword')({ json })).status, 200)
  const mails = (await mailsTo(world, owner.email)).length
  t.equal((await world.send('adminSuspendUser')(user)).status, 200)
  t.equal((await world.send('adminRestoreUser')(user)).status, 200)
  t.equal((await mailsTo(world, owner.email)).length, mails, 'a restored account without an undo gets no link')
})
