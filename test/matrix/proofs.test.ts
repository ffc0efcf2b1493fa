// Nothing younger or weaker takes, keeps or locks an account: what a thief has × what an owner has × what the thief does × when the owner
// acts, over HTTP. The expected outcome is that of the model in test/support/proofs.
import t, { type Test } from 'tap'
import { cellName, matrixCells } from '../support/cases/matrix.ts'
import { findUndoCodes, undoBy } from '../support/accounts/undos.ts'
import { createPasskey, loginAssertion, type Passkey } from '../support/accounts/authenticator.ts'
import { newAddress, putEmail, verificationTo } from '../support/accounts/emails.ts'
import { saudiNumber } from '../support/accounts/registrations.ts'
import { mailsTo, resetBy, settled } from '../support/accounts/resets.ts'
import { codeAt, establish, protectedPerson } from '../support/accounts/second-factors.ts'
import {
  AXES,
  hasSession,
  IS_COMPLETE,
  isOwnerIn,
  isPossible,
  isThiefOut,
  keepsApp,
  ownersIdentifier,
  type Act,
  type Cell,
} from '../support/proofs/model.ts'
import { openService } from '../support/service/service.ts'
import type { Received } from '../support/service/responses.ts'
import { openWorld, PASSWORD, type Person, type World } from '../support/service/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Longer than between two messages to one recipient */
const PAUSE_MS = 10 * 60_000
const RECENT_MS = 16 * 60_000
const SAMPLE = Number(process.env['PROOF_CELLS'] ?? 40)
const THIEFS_PASSWORD = 'olive-harbour-58-lantern'
const OWNERS_PASSWORD = 'a third horse battery'

const service = await openService()
service.app.context.smsReset = 'yes'
const { prisma } = service.database
t.teardown(() => service.close())

/** `earlier`: how many messages the owner has received before the theft */
type Owner = Readonly<{
  person: Person
  token: string
  appCode: (() => string) | undefined
  earlier: { mails: number; texts: number }
}>

async function newOwner(world: World, { victim }: Cell): Promise<Owner> {
  const person = await world.person({ isEmailVerified: victim !== 'number' })
  const before = (days: number): Date => new Date(service.clock.nowMs() - days * DAY_MS)
  const number = { createdAt: before(60), phoneVerifiedAt: before(60), phoneRecoversFrom: before(60) }
  const address = victim === 'number' ? {} : { emailVerifiedAt: before(30), emailRecoversFrom: before(30) }
  await prisma.account.update({ where: { id: person.id }, data: { ...number, ...address } })
  const none = { mails: 0, texts: 0 }
  if (!victim.includes('app')) return { person, token: await person.token(), appCode: undefined, earlier: none }
  const { token, nextCode } = await protectedPerson(world, person)
  await establish(world, person)
  const earlier = { mails: (await mailsTo(world, person.email)).length, texts: world.textsTo(person.phone).length }
  return { person, token, appCode: nextCode, earlier }
}

/** What a thief has acquired, besides what the cell says */
type Loot = {
  /** The last session */
  token: string | undefined
  tokens: string[]
  email: string
  phone: string
  password: string
  passkeys: Passkey[]
  /** Returns codes of the app of the owner, as long as it is in place. */
  appCode: (() => string) | undefined
}

async function logIn(world: World, email: string, password: string): Promise<string | undefined> {
  const { status, body } = await world.send('login')({ json: { email, password } })
  return status === 200 ? (body.data as { account: { token: string } }).account.token : undefined
}

/** The thief gets a session if possible: with the password, or after a reset with the stolen identifier. */
async function breakIn(world: World, { person, token: owners, appCode }: Owner, { thief }: Cell): Promise<Loot> {
  const { email, phone } = person
  const loot: Loot = { token: owners, tokens: [], email, phone, password: PASSWORD, passkeys: [], appCode: undefined }
  if (thief === 'old session') world.wait(RECENT_MS)
  if (thief.includes('session')) {
    const stolen = thief.includes('code') ? appCode : undefined
    return { ...loot, password: 'an unknown password', appCode: stolen }
  }
  if (thief === 'number' || thief === 'mailbox') {
    loot.password = resetBy.password
    await resetBy[thief === 'number' ? 'phone' : 'email'](world, person)
  }
  loot.token = await logIn(world, email, loot.password)
  return loot
}

type Thief = Readonly<{ world: World; token: string; loot: Loot }>

/** The strongest proof that a thief has for a change of the second factors */
const proofOf = ({ appCode, password }: Loot): object => (appCode ? { code: appCode() } : { password })

const DO: Readonly<Record<Act, (thief: Thief) => Promise<Received>>> = {
  async 'another address'({ world, token, loot }) {
    const address = newAddress()
    const received = await putEmail(world, { ...loot } as never, token, address)
    if (received.status !== 200) return received
    loot.email = address
    const verification = await verificationTo(world, address)
    return world.send('confirmEmail')({ token, json: { by: 'token', token: verification.token } })
  },
  async 'another number'({ world, token, loot }) {
    const json = await saudiNumber(world)
    const received = await world.send('patchProfile')({ token, json })
    if (received.status === 200) loot.phone = json.phone
    return received
  },
  async 'another password'({ world, token, loot }) {
    const json = { current_password: loot.password, new_password: THIEFS_PASSWORD }
    const received = await world.send('changePassword')({ token, json })
    if (received.status !== 200) return received
    loot.password = THIEFS_PASSWORD
    loot.token = (received.body.data as { account: { token: string } }).account.token
    return received
  },
  async 'a password in the profile'({ world, token, loot }) {
    const raw = JSON.stringify({ password: THIEFS_PASSWORD })
    const received = await world.send('patchProfile')({ token, raw, type: 'application/merge-patch+json' })
    if (received.status === 200) loot.password = THIEFS_PASSWORD
    return received
  },
  async 'a passkey'({ world, token, loot }) {
    const begun = await world.send('beginPasskey')({ token, json: proofOf(loot) })
    if (begun.status !== 200) return begun
    const { passkey, credential } = createPasskey(begun.body.data as Parameters<typeof createPasskey>[0])
    loot.passkeys.push(passkey)
    return world.send('addPasskey')({ token, json: { name: 'MacBook', credential } })
  },
  async 'an app'({ world, token, loot }) {
    const begun = await world.send('beginTotp')({ token, json: proofOf(loot) })
    if (begun.status !== 200) return begun
    const { secret } = begun.body.data as { secret: string }
    const added = await world.send('confirmTotp')({ token, json: { code: codeAt(secret, service.clock.nowMs()) } })
    loot.appCode = undefined
    return added
  },
  async 'no app'({ world, token, loot }) {
    const removed = await world.send('removeTotp')({ token, json: proofOf(loot) })
    loot.appCode = undefined
    return removed
  },
  'other recovery codes': ({ world, token, loot }) => world.send('renewRecoveryCodes')({ token, json: proofOf(loot) }),
  'no other session': ({ world, token }) => world.send('revokeOtherSessions')({ token }),
  'a deletion': ({ world, token, loot }) =>
    world.send('requestAccountDeletion')({ token, json: { password: loot.password } }),
}

/** The thief tries an act. Without a factor, there is nothing to renew. */
async function attempt(t: Test, world: World, loot: Loot, cell: Cell, which: 'first' | 'second'): Promise<void> {
  const act = cell[which]
  if (act === 'nothing more' || !loot.token) return
  const { token } = loot
  loot.tokens.push(token)
  const received = await DO[act]({ world, token, loot })
  if (loot.token) loot.tokens.push(loot.token)
  if (received.headers['error-code'] !== 'second_factor_missing')
    t.equal(received.status < 300, isPossible(act, cell, which === 'second'), `${act}: ${received.status}`)
  if (act === 'a deletion') loot.token = (await logIn(world, loot.email, loot.password)) ?? token
  await settled(world)
  world.wait(PAUSE_MS)
}

async function suspend(world: World, { person }: Owner): Promise<() => Promise<void>> {
  const auditContext = { subject: null, address: null, requestId: null }
  const action = { accountId: person.id, actor: 'command line', reason: 'test', auditContext } as const
  const { administration } = world.service.app.context.store
  await administration.suspend(action)
  return async () => {
    await administration.restore(action)
  }
}

/** The proof of the last notice to an identifier, which undoes what every earlier one announced, as the body of its use */
async function lastProof(
  world: World,
  { person: { email, phone }, earlier }: Owner,
  by: 'number' | 'address',
): Promise<object | undefined> {
  if (by === 'number') {
    await settled(world)
    const texts = world.textsTo(phone)
    const [otp] = findUndoCodes(texts.slice(0, texts.length - earlier.texts))
    return otp === undefined ? undefined : undoBy(phone, otp)
  }
  const mails = await mailsTo(world, email)
  const tokens = mails
    .slice(0, mails.length - earlier.mails)
    .flatMap(
      ({ text }) => /(?:undo it|cancel the change) (?:here|with this token)[^]*?\n([\w-]{43})$/m.exec(text)?.[1] ?? [],
    )
  return tokens[0] === undefined ? undefined : { by: 'token', token: tokens[0] }
}

/** The owner undoes what notices announced, or does not, and resets the password with the same identifier. Returns the password. */
async function recover(t: Test, world: World, owner: Owner, cell: Cell): Promise<string> {
  const { person } = owner
  const identifier = ownersIdentifier(cell)
  if (!identifier) return PASSWORD
  const proof = cell.by === 'an undo' ? await lastProof(world, owner, identifier) : undefined
  if (proof && isThiefOut(cell)) t.equal((await world.send('undoChanges')({ json: proof })).status, 200, 'the undo')
  world.wait(PAUSE_MS)
  const status = await resetBy[identifier === 'number' ? 'phone' : 'email'](world, person)
  return status === 200 ? resetBy.password : PASSWORD
}

async function isIn(world: World, { person, appCode }: Owner, password: string): Promise<boolean> {
  const json = { password, ...(appCode && { code: appCode() }) }
  const { email } = await prisma.account.findUniqueOrThrow({ where: { id: person.id }, select: { email: true } })
  return (await world.send('login')({ json: { ...json, email } })).status === 200
}

/** Nothing that the thief has acquired works, also when every waiting period is over. */
async function isOut(t: Test, world: World, { person, appCode }: Owner, loot: Loot, cell: Cell): Promise<void> {
  await prisma.account.update({ where: { id: person.id }, data: { passwordHash: await hashOf(world) } })
  if (appCode && keepsApp(cell))
    t.equal(await logIn(world, person.email, OWNERS_PASSWORD), undefined, 'the app is required as before')
  for (const token of new Set(loot.tokens))
    t.equal((await world.send('checkToken')({ token })).status, 401, 'a session of the thief')
  for (const hours of [0, 80]) {
    world.wait(hours * HOUR_MS)
    for (const email of new Set([person.email, loot.email]))
      for (const password of new Set([PASSWORD, loot.password, THIEFS_PASSWORD]))
        t.equal(await logIn(world, email, password), undefined, `${email}, ${password}`)
    for (const passkey of loot.passkeys) {
      const json = await loginAssertion(world, passkey)
      t.equal((await world.send('loginWithPasskey')({ json })).status, 401, 'the passkey of the thief')
    }
    if (loot.email !== person.email) t.not(await resetBy.email(world, { ...person, email: loot.email }), 200)
    if (loot.phone !== person.phone) t.not(await resetBy.phone(world, { ...person, phone: loot.phone }), 200)
  }
}

/** The owner sets a password that no thief of a mailbox or a number has seen. */
function hashOf({ service: { app } }: World): Promise<string> {
  return app.context.passwords.hash(OWNERS_PASSWORD, { owner: 'test' })
}

for (const cell of matrixCells(AXES, SAMPLE) as Cell[]) {
  void t.test(cellName(cell), async (t) => {
    const world = await openWorld(service)
    const owner = await newOwner(world, cell)
    const loot = await breakIn(world, owner, cell)
    t.equal(loot.token !== undefined, hasSession(cell), 'the thief has a session')
    await attempt(t, world, loot, cell, 'first')
    await attempt(t, world, loot, cell, 'second')
    const restore = cell.support === 'with support' ? await suspend(world, owner) : undefined
    await settled(world)
    world.wait(Number(cell.hours) * HOUR_MS)
    await restore?.()
    const password = await recover(t, world, owner, cell)
    t.equal(await isIn(world, owner, password), isOwnerIn(cell), 'the owner is in')
    if (isThiefOut(cell)) await isOut(t, world, owner, loot, cell)
  })
}

void t.test('every operation has a place in the model', (t) => {
  t.ok(IS_COMPLETE)
  t.end()
})
