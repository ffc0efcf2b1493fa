// Notices about an account have a limit per address. Those beyond it are sent as one digest, and none is lost.
import t, { type Test } from 'tap'
import { newPasskey } from '../../support/accounts/authenticator.ts'
import { openApp, type App } from '../../../src/app.ts'
import { LIMITS } from '../../../generated/limits.ts'
import { newAddress, putEmail, SUBJECTS } from '../../support/accounts/emails.ts'
import { openMailServer, type AcceptedMail, type MailServer } from '../../support/servers/mail-server.ts'
import { openWorld, PASSWORD, sharedService, type Person, type World } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000
const LEASE_MS = 30_000
const PER_HOUR = LIMITS.email.notices_per_hour
const DIGEST = 'More notices about your account'
const CHANGED = 'Your password was changed'
const PASSWORDS = [PASSWORD, 'olive-harbour-58-lantern'] as const
const opening = openMailServer(t)

type MailWorld = { world: World; server: MailServer }

async function openMailWorld(): Promise<MailWorld> {
  const server = await opening
  server.failAt(undefined)
  const mail = { url: server.url, requiresTls: false, from: 'Tawthiq <no-reply@example.org>' }
  const config = { mail: { ...mail, resetUrl: undefined, emailUrl: undefined, factorResetUrl: undefined } }
  return { world: await openWorld(await sharedService(config)), server }
}

/** Tries the e-mails that are due. */
async function deliver({ service }: World): Promise<void> {
  await service.app.context.background.settle(20_000)
  await service.app.deliverMails()
}

function mailsTo({ accepted }: MailServer, to: string, subject?: string): AcceptedMail[] {
  return accepted.filter((mail) => mail.to === to && (subject === undefined || mail.subject === subject))
}

/** Changes the password, back and forth. Returns a valid access token. */
async function changePasswords(world: World, token: string, times: number): Promise<string> {
  let bearer = token
  for (let count = 0; count < times; count++) {
    const [from, to] = count % 2 === 0 ? PASSWORDS : ([PASSWORDS[1], PASSWORDS[0]] as const)
    const json = { current_password: from, new_password: to }
    const { status, body } = await world.send('changePassword')({ token: bearer, json })
    t.equal(status, 200)
    bearer = (body.data as { account: { token: string } }).account.token
  }
  return bearer
}

/** Changes the password so often that notices wait for a digest. `times` is even, so that the password is the old one. */
async function flood(mailWorld: MailWorld, person: Person, times = PER_HOUR + 3): Promise<string> {
  const token = await changePasswords(mailWorld.world, await person.token(), times)
  await deliver(mailWorld.world)
  return token
}

async function anotherOf({ service }: World, t: Test): Promise<App> {
  const other = await openApp(service.config, service.dependencies)
  t.teardown(() => other.close())
  return other
}

function rowsOf({ service }: World, { id }: Person): Promise<number> {
  return service.database.prisma.queuedMail.count({ where: { accountId: id } })
}

void t.test('sends the notices of 44 changes as a few e-mails and one digest', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const person = await world.person({ isEmailVerified: false })
  await flood(mailWorld, person, 44)
  world.wait(HOUR_MS - 60_000)
  await deliver(world)
  t.equal(mailsTo(server, person.email).length, PER_HOUR)
  world.wait(60_000)
  await deliver(world)
  t.equal(mailsTo(server, person.email).length, PER_HOUR + 1)
  const [digest, ...more] = mailsTo(server, person.email, DIGEST)
  t.same(more, [])
  t.match(digest?.text, `This message replaces ${44 - PER_HOUR} notices about your Tawthiq account`)
  const lines = digest?.text.match(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}Your password was changed\r?$/gm)
  t.equal(lines?.length, 44 - PER_HOUR)
  t.equal(await rowsOf(world, person), 0)
  world.wait(HOUR_MS)
  await deliver(world)
  t.equal(mailsTo(server, person.email).length, PER_HOUR + 1)
})

void t.test('sends a single notice that has waited as it is', async () => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const person = await world.person()
  await flood(mailWorld, person, PER_HOUR + 1)
  world.wait(HOUR_MS)
  await deliver(world)
  t.equal(mailsTo(server, person.email, CHANGED).length, PER_HOUR + 1)
  t.same(mailsTo(server, person.email, DIGEST), [])
})

void t.test('sends one digest an hour while a flood lasts, and notices at once after a quiet hour', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const person = await world.person()
  let token = await flood(mailWorld, person)
  for (let hours = 1; hours <= 3; hours++) {
    world.wait(HOUR_MS / 2)
    token = await changePasswords(world, await person.token(), 2)
    world.wait(HOUR_MS / 2)
    await deliver(world)
  }
  t.ok(mailsTo(server, person.email).length <= PER_HOUR + 3)
  world.wait(3 * HOUR_MS)
  await deliver(world)
  const before = mailsTo(server, person.email, CHANGED).length
  token = await person.token()
  await changePasswords(world, token, 2)
  await deliver(world)
  t.equal(mailsTo(server, person.email, CHANGED).length, before + 2)
})

void t.test('counts the notices of another account to the same address separately', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const first = await world.person({ isEmailVerified: false })
  const token = await flood(mailWorld, first)
  t.equal((await putEmail(world, first, token, newAddress())).status, 200)
  const second = await world.person({ isEmailVerified: false })
  const bearer = await second.token()
  t.equal((await putEmail(world, second, bearer, first.email)).status, 200)
  await changePasswords(world, bearer, 1)
  await deliver(world)
  t.equal(mailsTo(server, first.email, CHANGED).length, PER_HOUR + 1)
})

void t.test('sends requested links and links that cancel a change at once during a flood', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const person = await world.person()
  const token = await flood(mailWorld, person)
  await world.send('requestPasswordReset')({ json: { by: 'email', email: person.email } })
  t.equal((await putEmail(world, person, token, newAddress())).status, 200)
  await deliver(world)
  t.equal(mailsTo(server, person.email, 'Set a new password').length, 1)
  t.equal(mailsTo(server, person.email, SUBJECTS.change).length, 1)
})

void t.test('sends the notice of a new passkey at once during a flood of password changes', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const person = await world.person()
  const token = await flood(mailWorld, person)
  const { json } = await newPasskey(world, token)
  t.equal((await world.send('addPasskey')({ token, json })).status, 201)
  await deliver(world)
  t.equal(mailsTo(server, person.email, 'A passkey was added').length, 1)
})

void t.test('keeps the links of notices in a digest', async (t) => {
  const { world, server } = await openMailWorld()
  const person = await world.person()
  const token = await person.token()
  for (let changes = 0; changes < PER_HOUR + 3; changes++)
    t.equal((await putEmail(world, person, token, newAddress())).status, 200)
  await deliver(world)
  t.equal(mailsTo(server, person.email, SUBJECTS.change).length, PER_HOUR)
  world.wait(HOUR_MS)
  await deliver(world)
  const [digest] = mailsTo(server, person.email, DIGEST)
  const links = digest?.text.match(/^[\w-]{43}\r?$/gm)?.map((link) => link.trim()) ?? []
  t.equal(links.length, 3)
  t.equal((await world.send('cancelEmailChange')({ json: { token: links[2] } })).status, 200)
  const { pendingEmail } = await world.service.database.prisma.account.findUniqueOrThrow({ where: { id: person.id } })
  t.equal(pendingEmail, null)
})

void t.test('sends one digest from several instances', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const people = await Promise.all(Array.from({ length: 6 }, () => world.person()))
  for (const person of people) await flood(mailWorld, person)
  const others = [await anotherOf(world, t), await anotherOf(world, t)]
  world.wait(HOUR_MS)
  await Promise.all([world.service.app, ...others].map((each) => each.deliverMails()))
  for (const person of people) {
    t.equal(mailsTo(server, person.email).length, PER_HOUR + 1)
    t.match(mailsTo(server, person.email, DIGEST), [{ text: /replaces 3 notices/ }])
  }
})

void t.test('takes all notices of a digest in one of two concurrent statements', async (t) => {
  const mailWorld = await openMailWorld()
  const { world } = mailWorld
  const person = await world.person()
  const { store } = world.service.app.context
  const { takeDue } = store.mails
  await flood(mailWorld, person, PER_HOUR + 3)
  store.mails.takeDue = () => Promise.resolve([]) // the dispatcher polls, too
  t.teardown(() => (store.mails.takeDue = takeDue))
  world.wait(HOUR_MS)
  const taken = (await Promise.all(Array.from({ length: 4 }, () => takeDue(5)))).flat()
  const own = taken.filter(({ accountId }) => accountId === person.id)
  t.match(own, [{ others: { length: 2 } }])
})

void t.test('sends a digest again after a crash, with the same Message-ID and notices', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const person = await world.person()
  const { store } = world.service.app.context
  const { takeDue } = store.mails
  await flood(mailWorld, person)
  world.wait(HOUR_MS)
  store.mails.takeDue = () => Promise.resolve([])
  const [lost] = (await takeDue(5)).filter(({ accountId }) => accountId === person.id) // its process is killed
  store.mails.takeDue = takeDue
  world.wait(LEASE_MS)
  await deliver(world)
  const expected = { messageId: `<${lost?.messageId}@example.org>`, text: /replaces 3 notices/ }
  t.match(mailsTo(server, person.email, DIGEST), [expected])
})

void t.test('retries a digest as a whole', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const person = await world.person()
  await flood(mailWorld, person)
  server.failAt({ step: 'recipient', code: 450 })
  world.wait(HOUR_MS)
  await deliver(world)
  server.failAt(undefined)
  t.equal(await rowsOf(world, person), 3)
  world.wait(LEASE_MS)
  await deliver(world)
  t.match(mailsTo(server, person.email, DIGEST), [{ text: /replaces 3 notices/ }])
  t.equal(await rowsOf(world, person), 0)
})

void t.test('deletes the notices that wait for a digest with their account', async (t) => {
  const mailWorld = await openMailWorld()
  const { world, server } = mailWorld
  const person = await world.person()
  await flood(mailWorld, person)
  t.equal(await rowsOf(world, person), 3)
  await world.service.database.prisma.account.delete({ where: { id: person.id } })
  world.wait(HOUR_MS)
  await deliver(world)
  t.same(mailsTo(server, person.email, DIGEST), [])
  t.equal(await world.service.database.prisma.noticeWindow.count({ where: { accountId: person.id } }), 0)
})

void t.test('forgets the counts of a day ago', async (t) => {
  const mailWorld = await openMailWorld()
  const { world } = mailWorld
  const person = await world.person()
  await flood(mailWorld, person)
  const { app, database } = world.service
  const where = { accountId: person.id }
  await app.context.store.deleteExpired(365)
  t.equal(await database.prisma.noticeWindow.count({ where }), 1)
  await database.prisma.noticeWindow.updateMany({ where, data: { startedAt: new Date(Date.now() - 25 * HOUR_MS) } })
  await app.context.store.deleteExpired(365)
  t.equal(await database.prisma.noticeWindow.count({ where }), 0)
})
