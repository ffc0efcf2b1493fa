// The notice of every change undoes it: with the token of its e-mail, and with the code of its SMS, on two instances.
import t, { type Test } from 'tap'
import { openApp } from '../../../src/app.ts'
import { loginAssertion, newPasskey } from '../../support/accounts/authenticator.ts'
import { newAddress, putEmail, verificationTo } from '../../support/accounts/emails.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { establishedPerson, mailsTo, resetBy, settled } from '../../support/accounts/resets.ts'
import { codeAt, establish, protectedPerson, type Protected } from '../../support/accounts/second-factors.ts'
import { changeNumber, findUndoCodes, undoBy } from '../../support/accounts/undos.ts'
import { sender } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, type Person, type World } from '../../support/service/world.ts'

const DAY_MS = 24 * 3_600_000
const NEW_PASSWORD = 'olive3kayak'

const service = await sharedService()
const { prisma } = service.database
const second = await openApp(service.config, service.dependencies)
Object.assign(second.context.mail, service.app.context.mail) // either may send an e-mail of the other
t.teardown(() => second.close())
const origin = await second.server.listen({ host: '127.0.0.1', port: 0 })

type Owner = Protected & Readonly<{ passkeyId: string; signIn: () => Promise<number> }>

/** Creates a person whose number is older than the address, with an app and a passkey, both established. */
async function newOwner(world: World): Promise<Owner> {
  const person = await establishedPerson(world)
  const phoneVerifiedAt = new Date(Date.now() - 60 * DAY_MS)
  await prisma.account.update({ where: { id: person.id }, data: { phoneVerifiedAt } })
  const owner = await protectedPerson(world, person)
  const { passkey, json } = await newPasskey(world, owner.token)
  const { status, body } = await world.send('addPasskey')({ token: owner.token, json })
  if (status !== 201) throw new Error(JSON.stringify(body))
  await establish(world, person)
  await settled(world)
  const signIn = async (): Promise<number> =>
    (await world.send('loginWithPasskey')({ json: await loginAssertion(world, passkey) })).status
  return { ...owner, passkeyId: (body.data as { passkey: { id: string } }).passkey.id, signIn }
}

type Sent = { status: number; body: unknown }

async function succeed(sent: Promise<Sent>): Promise<void> {
  const { status, body } = await sent
  if (status >= 300) throw new Error(JSON.stringify(body))
}

type Change = Readonly<{
  make: (world: World, owner: Owner) => Promise<unknown>
  proofs: readonly ('link' | 'code')[]
}>

/** What changes the account of an owner, and which proofs undo it */
const BOTH = ['link', 'code'] as const
const CHANGES = {
  'another address': {
    async make(world, { person, token }) {
      const address = newAddress()
      await putEmail(world, person, token, address)
      const verification = await verificationTo(world, address)
      await succeed(world.send('confirmEmail')({ token, json: { by: 'token', token: verification.token } }))
    },
    proofs: BOTH,
  },
  'another number': {
    make: (world, { person, token }) => changeNumber(world, person.email, token),
    proofs: BOTH,
  },
  'another password': {
    make: (world, { token }) =>
      succeed(
        world.send('changePassword')({ token, json: { current_password: PASSWORD, new_password: NEW_PASSWORD } }),
      ),
    proofs: BOTH,
  },
  'another password in the profile': {
    make: (world, { person, token }) =>
      succeed(world.send('updateProfile')({ token, form: clientForm(person, { password: NEW_PASSWORD }) })),
    proofs: BOTH,
  },
  'another passkey': {
    async make(world, { token, nextCode }) {
      const { json } = await newPasskey(world, token, {}, { code: nextCode() })
      await succeed(world.send('addPasskey')({ token, json }))
    },
    proofs: BOTH,
  },
  'a removed app': {
    make: (world, { token, nextCode }) => succeed(world.send('removeTotp')({ token, json: { code: nextCode() } })),
    proofs: BOTH,
  },
  'a removed passkey': {
    make: (world, { token, nextCode, passkeyId }) =>
      succeed(world.send('removePasskey')({ token, json: { code: nextCode() }, path: { passkey_id: passkeyId } })),
    proofs: BOTH,
  },
  'other recovery codes': {
    make: (world, { token, nextCode }) =>
      succeed(world.send('renewRecoveryCodes')({ token, json: { code: nextCode() } })),
    proofs: BOTH,
  },
  'no factor, and another app': {
    async make(world, { token, nextCode, passkeyId }) {
      await succeed(world.send('removePasskey')({ token, json: { code: nextCode() }, path: { passkey_id: passkeyId } }))
      await succeed(world.send('removeTotp')({ token, json: { code: nextCode() } }))
      const begun = await world.send('beginTotp')({ token, json: { password: PASSWORD } })
      const { secret } = begun.body.data as { secret: string }
      await succeed(world.send('confirmTotp')({ token, json: { code: codeAt(secret, service.clock.nowMs()) } }))
    },
    proofs: BOTH,
  },
  'a reset by phone': { make: (world, { person }) => resetBy.phone(world, person), proofs: ['link'] },
  'a reset by e-mail': { make: (world, { person }) => resetBy.email(world, person), proofs: ['code'] },
} satisfies Record<string, Change>

/** Counts the messages that an owner has received. */
async function receivedBy(
  world: World,
  { person: { email, phone } }: Owner,
): Promise<{ mails: number; texts: number }> {
  return { mails: (await mailsTo(world, email)).length, texts: world.textsTo(phone).length }
}

/** Returns the proofs that the owner has received since, as the bodies of their use. */
async function proofsSent(
  world: World,
  { email, phone }: Person,
  earlier: { mails: number; texts: number },
): Promise<Record<'link' | 'code', object[]>> {
  await second.context.background.settle(20_000)
  const mails = await mailsTo(world, email)
  const links = mails.slice(0, mails.length - earlier.mails).flatMap(({ text }) => {
    const [, token] = /undo it (?:here|with this token)[^]*?\n([\w-]{43})$/m.exec(text) ?? []
    return token === undefined ? [] : [{ by: 'token', token }]
  })
  const texts = world.textsTo(phone)
  const codes = findUndoCodes(texts.slice(0, texts.length - earlier.texts)).map((otp) => undoBy(phone, otp))
  return { link: links, code: codes }
}

const undo = async (json: object): Promise<number> =>
  (await sender(origin, 'undoChanges', '192.0.2.1')({ json })).status

async function stateOf({ person: { id } }: Owner): Promise<object> {
  const account = await prisma.account.findUniqueOrThrow({
    where: { id },
    select: {
      ...{ email: true, emailVerifiedAt: true, phone: true, phoneVerifiedAt: true, factorsSince: true },
      ...{ pendingEmail: true, factorsVouched: true, factorsResetAt: true },
      passkeys: { select: { id: true, establishedAt: true, publicKey: true } },
      secondFactors: { select: { recoveryCodes: true, totpEstablishedAt: true, codesEstablishedAt: true } },
    },
  })
  return account
}

/** The owner sets a new password with the link of the last e-mail, and logs in with each factor. */
async function ownerReturns(t: Test, world: World, owner: Owner): Promise<void> {
  const { email } = owner.person
  const mails = await mailsTo(world, email)
  const undone = mails.find(({ subject }) => subject === 'Changes of your account were undone')
  const token = /^[\w-]{43}$/m.exec(undone?.text ?? '')?.[0]
  t.equal((await world.send('resetPassword')({ json: { by: 'email', token, password: NEW_PASSWORD } })).status, 200)
  const json = { email, password: NEW_PASSWORD, code: owner.nextCode() }
  t.equal((await world.send('login')({ json })).status, 200, 'the app')
  t.equal(await owner.signIn(), 200, 'the passkey')
  const withCode = { ...json, code: owner.recoveryCodes[1] }
  t.equal((await world.send('login')({ json: withCode })).status, 200, 'a recovery code')
}

for (const [name, { make, proofs }] of Object.entries<Change>(CHANGES)) {
  for (const by of BOTH) {
    void t.test(`${name}: ${proofs.includes(by) ? '' : 'no '}${by} undoes it`, async (t) => {
      const world = await openWorld(service)
      const owner = await newOwner(world)
      const before = await stateOf(owner)
      const earlier = await receivedBy(world, owner)
      await make(world, owner)
      const [first] = (await proofsSent(world, owner.person, earlier))[by].slice(-1)
      t.equal(first !== undefined, proofs.includes(by))
      if (!first) return
      world.wait(6 * DAY_MS)
      t.equal(await undo(first), 200)
      t.same(await stateOf(owner), before)
      t.equal((await world.send('checkToken')({ token: owner.token })).status, 401, 'the sessions have ended')
      for (const password of [PASSWORD, NEW_PASSWORD, resetBy.password])
        t.equal((await world.send('login')({ json: { email: owner.person.email, password } })).status, 401)
      await ownerReturns(t, world, owner)
      t.equal(await undo(first), 422, 'a proof is valid once')
    })
  }
}

void t.test('a proof is not valid after 7 days', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  const earlier = await receivedBy(world, owner)
  await CHANGES['a removed app'].make(world, owner)
  const { link, code } = await proofsSent(world, owner.person, earlier)
  world.wait(7 * DAY_MS + 1000)
  t.same([link.length, code.length], [1, 1])
  for (const proof of [...link, ...code]) t.equal(await undo(proof), 422)
})

void t.test('the last of several links undoes all changes since the first one', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  const before = await stateOf(owner)
  const earlier = await receivedBy(world, owner)
  for (const name of ['a removed passkey', 'other recovery codes', 'another number'] as const)
    await CHANGES[name].make(world, owner)
  const { link } = await proofsSent(world, owner.person, earlier)
  t.equal(link.length, 3)
  t.equal(await undo(link[0] ?? {}), 200)
  t.same(await stateOf(owner), before)
  for (const each of link) t.equal(await undo(each), 422, 'one ends the others')
})

void t.test('a recovery code that was used stays used', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  const [code] = owner.recoveryCodes
  const earlier = await receivedBy(world, owner)
  await CHANGES['a removed passkey'].make(world, owner)
  const json = { email: owner.person.email, password: PASSWORD, code }
  t.equal((await world.send('login')({ json })).status, 200)
  const { link } = await proofsSent(world, owner.person, earlier)
  t.equal(await undo(link.at(-1) ?? {}), 200)
  const { recoveryCodes } = await prisma.secondFactors.findUniqueOrThrow({ where: { accountId: owner.person.id } })
  t.equal(recoveryCodes.length, owner.recoveryCodes.length - 1)
})

void t.test(
  'an undo does not bring back factors that support has removed, at once or after its waiting period',
  async (t) => {
    for (const isAtOnce of [true, false]) {
      const world = await openWorld(service)
      const owner = await newOwner(world)
      const { id: accountId } = owner.person
      const earlier = await receivedBy(world, owner)
      await CHANGES['a removed passkey'].make(world, owner)
      const { link } = await proofsSent(world, owner.person, earlier)
      const { administration } = service.app.context.store
      const auditContext = { subject: null, address: null, requestId: null }
      const action = { accountId, actor: 'command line', reason: 'test', auditContext } as const
      if (isAtOnce) await administration.resetFactors(action, () => [])
      else await administration.scheduleFactorReset(action, { cancelHash: new Uint8Array(32), toMails: () => [] })
      world.wait(2 * DAY_MS)
      t.equal(await undo(link.at(-1) ?? {}), 200)
      const { factorsSince, factorsResetAt } = await prisma.account.findUniqueOrThrow({ where: { id: accountId } })
      t.ok(factorsSince === null || factorsResetAt !== null, 'the account has no factor')
      t.equal(await owner.signIn(), 401)
    }
  },
)

void t.test('the token of a pending address only cancels it, unless something else was changed', async (t) => {
  for (const isMore of [false, true]) {
    const world = await openWorld(service)
    const owner = await newOwner(world)
    const before = await stateOf(owner)
    await putEmail(world, owner.person, owner.token, newAddress())
    const [mail] = (await mailsTo(world, owner.person.email)).filter(({ subject }) =>
      subject?.includes('was requested'),
    )
    const token = /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0]
    if (isMore) await CHANGES['a removed passkey'].make(world, owner)
    t.equal(await undo({ by: 'token', token }), 200)
    t.same(await stateOf(owner), before)
    t.equal((await world.send('checkToken')({ token: owner.token })).status, isMore ? 401 : 200)
  }
})
