// E-mails are stored with the change that they are about, and sent to a real mail server: once, although it fails.
import t, { type Test } from 'tap'
import type { QueuedMail as Row } from '../../../generated/prisma/client.ts'
import { openApp, type App } from '../../../src/app.ts'
import type { Config } from '../../../src/config/index.ts'
import { newKeyFile } from '../../../src/adapters/keys/new-keys.ts'
import { serializeKeyFile } from '../../../src/adapters/keys/index.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import { resetLink } from '../../support/accounts/resets.ts'
import { openMailServer, type AcceptedMail, type MailServer } from '../../support/servers/mail-server.ts'
import { openWorld, PASSWORD, sharedService, type Person, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const NEW_PASSWORD = 'olive-harbour-58-lantern'
const opening = openMailServer(t)

const mailConfig = (url: string): Config['mail'] => ({
  url,
  requiresTls: false,
  from: 'Tawthiq <no-reply@example.org>',
  resetUrl: undefined,
  emailUrl: undefined,
  factorResetUrl: undefined,
})

/** Opens a world whose service sends e-mails to a mail server that works. */
async function openMailWorld(): Promise<{ world: World; server: MailServer }> {
  const server = await opening
  server.failAt(undefined)
  const url = server.url.replace('://', '://sender:open-sesame@')
  const world = await openWorld(await sharedService({ mail: mailConfig(url) }))
  await deliver(world)
  return { world, server }
}

/** Waits until the e-mails that are due were tried once. */
async function deliver({ service }: World): Promise<void> {
  await service.app.context.background.settle(20_000)
}

/** Moves the clock, and tries the e-mails that are due then. */
async function deliverAfter(world: World, ms: number): Promise<void> {
  await deliver(world) // while the service delivers by itself, `deliverMails` does not wait
  world.wait(ms)
  await world.service.app.deliverMails()
}

async function requestReset(world: World, { email }: Pick<Person, 'email'>): Promise<void> {
  const { status } = await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  t.equal(status, 202)
}

function acceptedFor({ accepted }: MailServer, { email }: Pick<Person, 'email'>): AcceptedMail[] {
  return accepted.filter(({ to }) => to === email)
}

function rowsOf({ service }: World, { id }: Pick<Person, 'id'>): Promise<Row[]> {
  return service.database.prisma.queuedMail.findMany({ where: { accountId: id }, orderBy: { id: 'asc' } })
}

async function onlyRow(world: World, person: Person): Promise<Row | undefined> {
  const rows = await rowsOf(world, person)
  t.equal(rows.length, 1)
  return rows[0]
}

/** Opens another instance of the same service. */
async function anotherOf({ service }: World, t: Test, config: Partial<Config> = {}): Promise<App> {
  const other = await openApp({ ...service.config, ...config }, service.dependencies)
  t.teardown(() => other.close())
  return other
}

void t.test('sends an e-mail once and removes its row', async (t) => {
  const { world, server } = await openMailWorld()
  const person = await world.person()
  await requestReset(world, person)
  await deliver(world)
  await deliverAfter(world, MINUTE_MS)
  const mails = acceptedFor(server, person)
  t.match(mails, [{ subject: 'Set a new password', text: /^[\w-]{43}\r?$/m }])
  t.match(mails[0]?.messageId, /^<[0-9a-f-]{36}@example\.org>$/)
  t.same(await rowsOf(world, person), [])
})

void t.test('retries a temporary failure with the same e-mail', async (t) => {
  const { world, server } = await openMailWorld()
  const person = await world.person()
  for (const failure of [
    { step: 'recipient', code: 450, text: '4.2.0 <a@example.org> greylisted' },
    { step: 'data', code: 451 },
    { step: 'connect', code: 421 },
  ] as const) {
    server.failAt(failure)
    if (failure.step === 'recipient') await requestReset(world, person)
    await (failure.step === 'recipient' ? deliver(world) : deliverAfter(world, 2 * MINUTE_MS))
    t.same(acceptedFor(server, person), [])
  }
  const row = await onlyRow(world, person)
  t.match(row, { topic: 'reset', attempts: 3, lastFailure: /421|connection failed/ })
  server.failAt(undefined)
  await deliverAfter(world, 5 * MINUTE_MS)
  t.match(acceptedFor(server, person), [{ messageId: `<${row?.messageId}@example.org>` }])
  t.match(world.service.log.join(''), /status 450 4\.2\.0 to RCPT TO/)
  t.notMatch(world.service.log.join(''), /greylisted/)
})

void t.test('does not retry a permanent rejection, and returns the budgets', async (t) => {
  const { world, server } = await openMailWorld()
  const person = await world.person()
  server.failAt({ step: 'recipient', code: 550, text: `5.1.1 <${person.email}> unknown` })
  for (let requests = 0; requests < 5; requests++) {
    await requestReset(world, person)
    await deliver(world)
  }
  const rows = await rowsOf(world, person)
  t.equal(rows.length, 5)
  for (const row of rows) {
    const ended = { payload: null, tokenHash: null, nextAttemptAt: null, attempts: 1 }
    t.match(row, { ...ended, lastFailure: 'status 550 5.1.1 to RCPT TO' })
  }
  server.failAt(undefined)
  await deliverAfter(world, MINUTE_MS)
  t.same(acceptedFor(server, person), [])
  for (let requests = 0; requests < 5; requests++) {
    await requestReset(world, person)
    await deliver(world)
  }
  t.equal(acceptedFor(server, person).length, 3)
})

/** What mail servers respond to all e-mails for some seconds */
const REFUSALS = [
  { step: 'sender', code: 530, text: '5.7.0 Must issue a STARTTLS command first' },
  { step: 'sender', code: 550, text: '5.7.1 <no-reply@example.org>: Sender address rejected: not owned by user' },
  { step: 'sender', code: 552, text: 'Message size exceeds maximum permitted' },
  { step: 'recipient', code: 550, text: '5.4.5 Daily SMTP relay sending limit exceeded for customer.' },
  { step: 'recipient', code: 554, text: '5.7.1 <sara@example.org>: Relay access denied' },
  { step: 'recipient', code: 550, text: 'relay not permitted' },
  { step: 'recipient', code: 552, text: '5.2.2 Mailbox full' },
  { step: 'data', code: 554, text: 'Message rejected: Email address is not verified.' },
] as const

for (const refusal of REFUSALS) {
  void t.test(
    `loses no e-mail while the server responds ${refusal.code} ${refusal.text} to the ${refusal.step}`,
    async (t) => {
      const { world, server } = await openMailWorld()
      const people = [await world.person(), await world.person(), await world.person()]
      server.failAt(refusal)
      for (const person of people) await requestReset(world, person)
      await deliver(world)
      const rows = (await Promise.all(people.map((person) => rowsOf(world, person)))).flat()
      t.same(
        rows.map(({ attempts, payload, nextAttemptAt }) => [attempts, payload !== null, nextAttemptAt !== null]),
        people.map(() => [1, true, true]),
      )
      server.failAt(undefined)
      await deliverAfter(world, MINUTE_MS)
      for (const person of people) t.equal(acceptedFor(server, person).length, 1)
    },
  )
}

void t.test('gives up an e-mail that the server refuses five times while it accepts others', async (t) => {
  const { world, server } = await openMailWorld()
  const person = await world.person({ isEmailVerified: false })
  const token = await person.token()
  server.failAt({ step: 'data', code: 550, text: '5.7.1 Message content rejected', to: person.email })
  t.equal((await world.send('requestEmailVerification')({ token })).status, 200)
  await deliver(world)
  for (let attempts = 1; attempts <= 5; attempts++) {
    const other = await world.person()
    await requestReset(world, other)
    await deliver(world)
    t.equal(acceptedFor(server, other).length, 1)
    await deliverAfter(world, 20 * MINUTE_MS)
  }
  const row = await onlyRow(world, person)
  t.match(row, { payload: null, nextAttemptAt: null, lastFailure: 'status 550 5.7.1 to DATA' })
})

void t.test('returns the sends of an account whose verification was not sent', async (t) => {
  const { world, server } = await openMailWorld()
  const person = await world.person({ isEmailVerified: false })
  const token = await person.token()
  const request = async (): Promise<number> => (await world.send('requestEmailVerification')({ token })).status
  const { prisma } = world.service.database
  const sends = async (): Promise<number | undefined> =>
    (await prisma.emailCode.findUnique({ where: { accountId: person.id } }))?.sentAt.length
  server.failAt({ step: 'data', code: 554, text: '5.6.0 Invalid message content' })
  for (let requests = 0; requests < 12; requests++) {
    t.equal(await request(), 200)
    t.equal(await sends(), 1)
    await deliver(world)
    t.equal(await sends(), 0)
  }
  server.failAt(undefined)
  t.equal(await request(), 200)
  await deliver(world)
  t.match(acceptedFor(server, person), [{ subject: 'Confirm your e-mail address' }])
  t.equal(await sends(), 1)
  t.equal(await request(), 429)
})

void t.test('sends no e-mail after its link has expired or was invalidated', async (t) => {
  const { world, server } = await openMailWorld()
  const [late, changed] = [await world.person(), await world.person()]
  server.failAt({ step: 'connect', code: 421 })
  await requestReset(world, late)
  await requestReset(world, changed)
  await deliver(world)
  const json = { by: 'email', token: await resetLink(world, changed), password: NEW_PASSWORD }
  t.equal((await world.send('resetPassword')({ json })).status, 200)
  server.failAt(undefined)
  await deliverAfter(world, 14 * MINUTE_MS)
  t.match(acceptedFor(server, changed), [{ subject: 'Your password was changed' }])
  t.match(await rowsOf(world, changed), [{ lastFailure: 'the link is no longer valid', payload: null }])

  const another = await world.person()
  server.failAt({ step: 'connect', code: 421 })
  await requestReset(world, another)
  await deliver(world)
  server.failAt(undefined)
  await deliverAfter(world, 16 * MINUTE_MS)
  t.same(acceptedFor(server, another), [])
  t.match(await rowsOf(world, another), [{ lastFailure: 'expired', payload: null, nextAttemptAt: null }])
})

void t.test('sends notices after the mail server has rejected the login for a day', async (t) => {
  const { world, server } = await openMailWorld()
  const person = await world.person()
  const token = await person.token()
  server.failAt({ step: 'login', code: 535, text: '5.7.8 wrong credentials' })
  const { status } = await world.send('requestAccountDeletion')({ token, json: { password: PASSWORD } })
  t.equal(status, 202)
  await deliver(world)
  for (let hours = 0; hours < 24; hours++) await deliverAfter(world, DAY_MS / 20)
  const row = await onlyRow(world, person)
  t.match(row, { topic: 'deletion', lastFailure: 'status 535 5.7.8 to AUTH PLAIN' })
  server.failAt(undefined)
  await deliverAfter(world, DAY_MS / 20)
  t.equal(acceptedFor(server, person).length, 1)
})

void t.test('sends the e-mails of every kind of change soon after the response, not with the next poll', async (t) => {
  const { world, server } = await openMailWorld()
  const registration = clientRegistration(await saudiNumber(world))
  const [updating, leaving, resetting] = await Promise.all([world.person(), world.person(), world.person()])
  const form = clientForm(updating, { password: NEW_PASSWORD })
  t.equal((await world.send('register')({ form: registration })).status, 201)
  t.equal((await world.send('updateProfile')({ token: await updating.token(), form })).status, 200)
  const deletion = { token: await leaving.token(), json: { password: PASSWORD } }
  t.equal((await world.send('requestAccountDeletion')(deletion)).status, 202)
  await requestReset(world, resetting)
  await deliver(world)
  for (const recipient of [{ email: String(registration['email']) }, updating, leaving, resetting])
    t.equal(acceptedFor(server, recipient).length, 1)
})

void t.test('stores e-mails before the response, for a restart', async (t) => {
  const { world, server } = await openMailWorld()
  const { context } = world.service.app
  const { background } = context
  context.background = { ...background, enqueue: () => undefined } // as if the process ended after the response
  const { mails, monitoring } = context.store
  const { takeDue } = mails
  mails.takeDue = () => Promise.resolve([]) // the dispatcher polls, too
  t.teardown(() => (mails.takeDue = takeDue))
  const person = await world.person()
  const number = await saudiNumber(world)
  const registration = clientRegistration(number)
  const email = String(registration['email'])
  await requestReset(world, person)
  await requestReset(world, { email: 'unknown@example.org' })
  t.equal((await world.send('register')({ form: registration })).status, 201)
  context.background = background
  t.ok((await monitoring.status()).backlogs.mails.items >= 3)

  const other = await anotherOf(world, t)
  await other.deliverMails()
  t.equal(acceptedFor(server, person).length, 1)
  t.match(acceptedFor(server, { email }), [{ subject: 'Confirm your e-mail address', text: /\b\d{6}\b/ }])
  t.same(acceptedFor(server, { email: 'unknown@example.org' }), [])
  t.same((await monitoring.status()).backlogs.mails, { items: 0, oldestSeconds: 0 })
})

void t.test('sends each e-mail once from several instances', async (t) => {
  const { world, server } = await openMailWorld()
  const people = await Promise.all(Array.from({ length: 12 }, () => world.person()))
  server.failAt({ step: 'connect', code: 421 })
  for (const person of people) {
    const token = await person.token()
    const json = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    await world.send('changePassword')({ token, json })
  }
  await deliver(world)
  const { backlogs } = await world.service.app.context.store.monitoring.status()
  t.equal(backlogs.mails.items, people.length)
  const others = [await anotherOf(world, t), await anotherOf(world, t)]
  server.failAt(undefined)
  world.wait(MINUTE_MS)
  await Promise.all([world.service.app, ...others].map((each) => each.deliverMails()))
  for (const person of people) t.equal(acceptedFor(server, person).length, 1)
})

void t.test('stores no recipient and no token in clear, and reads e-mails after a key rotation', async (t) => {
  const { world, server } = await openMailWorld()
  const person = await world.person()
  server.failAt({ step: 'connect', code: 421 })
  await requestReset(world, person)
  await deliver(world)
  const row = await onlyRow(world, person)
  t.notMatch(Buffer.from(row?.payload ?? []).toString('latin1'), /example|reset|person/i)

  const stranger = await anotherOf(world, t, { keys: { text: serializeKeyFile(newKeyFile(Date.now())) } })
  const old = JSON.parse('text' in world.service.config.keys ? world.service.config.keys.text : '{}') as {
    codes: object[]
  }
  const rotated = { ...old, codes: [newKeyFile(Date.now()).codes[0], ...old.codes] }
  const after = await anotherOf(world, t, { keys: { text: JSON.stringify(rotated) } })
  server.failAt(undefined)
  world.wait(MINUTE_MS)
  await after.deliverMails()
  t.equal(acceptedFor(server, person).length, 1)

  const other = await world.person()
  server.failAt({ step: 'connect', code: 421 })
  await requestReset(world, other)
  await deliver(world)
  server.failAt(undefined)
  world.wait(MINUTE_MS)
  await stranger.deliverMails()
  t.match(await rowsOf(world, other), [{ lastFailure: 'sealed with an unknown key', payload: Uint8Array }])
  await deliverAfter(world, MINUTE_MS)
  t.equal(acceptedFor(server, other).length, 1, 'another instance has the key')
})

void t.test('deletes the e-mails of a deleted account, and failed ones after a week', async (t) => {
  const { world, server } = await openMailWorld()
  const { database, app } = world.service
  const [leaving, staying] = [await world.person(), await world.person()]
  server.failAt({ step: 'recipient', code: 550, text: '5.1.1 unknown' })
  await requestReset(world, staying)
  await deliver(world)
  server.failAt({ step: 'recipient', code: 450 })
  await requestReset(world, leaving)
  await deliver(world)
  await database.prisma.account.delete({ where: { id: leaving.id } })
  t.same(await rowsOf(world, leaving), [])

  const ageTo = async (days: number): Promise<void> => {
    const data = { createdAt: new Date(Date.now() - days * DAY_MS) }
    await database.prisma.queuedMail.updateMany({ where: { accountId: staying.id }, data })
  }
  await ageTo(6.9)
  await app.context.store.deleteExpired(365)
  t.equal((await rowsOf(world, staying)).length, 1)
  await ageTo(7.1)
  await app.context.store.deleteExpired(365)
  t.same(await rowsOf(world, staying), [])
})
