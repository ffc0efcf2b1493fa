// Webhooks: events of accounts are delivered at least once, signed, and retried until the receiver accepts them.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Webhook } from 'standardwebhooks'
import { openApp, type App } from '../../../src/app.ts'
import type { Config } from '../../../src/config/index.ts'
import { startDispatcher } from '../../../src/runtime/delivery/dispatcher.ts'
import { adminToken, newLawyer, userPath } from '../../support/cases/administration.ts'
import { clientForm, lawyerForm } from '../../support/accounts/profile-forms.ts'
import { eventsIn, openReceiver, SECRET, type Receiver, type ReceivedEvent } from '../../support/servers/receiver.ts'
import { clientRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, PASSWORD, sharedService, type World } from '../../support/service/world.ts'

const DAY_MS = 86_400_000
const LOOK_MS = 20
const LEASE_MS = 20_000
const OLD_SECRET = `whsec_${Buffer.alloc(24, 'old').toString('base64')}`
const receiving = openReceiver(t)

/** Opens a world whose service sends events to a receiver. */
async function openWebhookWorld(): Promise<{ world: World; receiver: Receiver }> {
  const receiver = await receiving
  const events = { url: receiver.url, secrets: [SECRET, OLD_SECRET] }
  return { world: await openWorld(await sharedService({ events })), receiver }
}

/** Opens another instance of the same service. */
async function anotherOf({ service }: World, t: Test, config: Partial<Config> = {}): Promise<App> {
  const other = await openApp({ ...service.config, ...config }, service.dependencies)
  t.teardown(() => other.close())
  return other
}

/** Suspends a user, and waits until the event was sent once. */
async function suspended(status: number | null): Promise<{ world: World; receiver: Receiver; id: number }> {
  const { world, receiver } = await openWebhookWorld()
  const person = await world.person()
  receiver.respondTo(person.id, status)
  const token = await adminToken(world)
  await world.send('adminSuspendUser')({ ...userPath(person), token, json: { reason: 'why' } })
  await receiver.until(person.id, 1)
  return { world, receiver, id: person.id }
}

type Row = Awaited<ReturnType<App['context']['store']['events']['list']>>[number]

/** Polls until the only event of an account reaches a state. */
async function settled(world: World, accountId: number, isSo: (row: Row) => boolean): Promise<Row> {
  const filters = { accountId, type: undefined, state: undefined, before: undefined }
  for (;;) {
    const [row] = await world.service.app.context.store.events.list(filters, 1)
    if (row && isSo(row)) return row
    await sleep(LOOK_MS)
  }
}

const hasState =
  (state: Row['state']) =>
  (row: Row): boolean =>
    row.state === state

const hasFailed =
  (attempts: number) =>
  (row: Row): boolean =>
    row.attempts >= attempts && row.lastFailure === 'status 500'

const idsOf = (taken: ReceivedEvent[]): Set<string | undefined> =>
  new Set(taken.map(({ headers }) => headers['webhook-id']))

void t.test("delivers the events of an account's life", async (t) => {
  const { world, receiver } = await openWebhookWorld()
  const token = await adminToken(world)
  const number = await saudiNumber(world)
  const registration = clientRegistration(number)
  const registered = await world.send('register')({ json: registration })
  const ownToken = (registered.body.data.account as { token: string }).token
  const { user } = (await world.send('getProfile')({ token: ownToken })).body.data as { user: { id: number } }
  const person = { id: user.id, email: String(registration['email']), phone: number.phone }
  await world.send('updateProfile')({ token: ownToken, form: clientForm(person) })
  await world.send('adminSuspendUser')({ ...userPath(person), token, json: { reason: 'why' } })
  await world.send('adminSuspendUser')({ ...userPath(person), token, json: { reason: 'again' } })
  await world.send('adminRestoreUser')({ ...userPath(person), token, json: { reason: 'because' } })

  const taken = await receiver.until(person.id, 5)
  const received = Object.fromEntries(taken.map(({ event: { type, data } }) => [type, data]))
  const account_id = person.id
  t.same(received, {
    'account.registered': { account_id, account_type: 'client', phone_verified: true },
    'phone.confirmed': { account_id },
    'profile.updated': { account_id, account_type: 'client', review_status: null },
    'account.suspended': { account_id },
    'account.restored': { account_id },
  })
  t.equal(idsOf(taken).size, 5)
})

void t.test('delivers reviews and updates that reset them', async (t) => {
  const { world, receiver } = await openWebhookWorld()
  const token = await adminToken(world)
  const lawyer = await newLawyer(world)
  const json = { decision: 'rejected', review_version: 0, reason: 'no' }
  await world.send('adminReviewLawyer')({ ...userPath(lawyer), token, json })
  const reviewed = await receiver.until(lawyer.id, 1)
  t.match(reviewed, [{ event: { type: 'lawyer.reviewed', data: { review_status: 'rejected' } } }])

  const form = lawyerForm(lawyer, { national_id: '1087654321' })
  t.equal((await world.send('updateProfile')({ token: await lawyer.token(), form })).status, 200)
  const data = { account_id: lawyer.id, account_type: 'lawyer', review_status: 'pending' }
  t.match((await receiver.until(lawyer.id, 2))[1]?.event, { type: 'profile.updated', data })
})

void t.test('delivers the deletion of an account', async (t) => {
  const { world, receiver } = await openWebhookWorld()
  const leaving = await world.person()
  await world.send('requestAccountDeletion')({ token: await leaving.token(), json: { password: PASSWORD } })
  t.match(await receiver.until(leaving.id, 1), [{ event: { type: 'profile.updated' } }], 'it is scheduled')
  world.wait(31 * DAY_MS)
  await world.service.app.context.store.deletions.carryOut()
  t.match((await receiver.until(leaving.id, 2))[1]?.event, { type: 'account.deleted' })
})

void t.test('signs events with each secret, without personal data', async (t) => {
  const { world, receiver } = await openWebhookWorld()
  const number = await saudiNumber(world)
  const registration = clientRegistration(number)
  const registered = await world.send('register')({ json: registration })
  const { token } = registered.body.data.account as { token: string }
  const { user } = (await world.send('getProfile')({ token })).body.data as { user: { id: number } }
  for (const { headers, text } of await receiver.until(user.id, 2)) {
    t.match(headers['content-type'], 'application/json')
    for (const secret of [SECRET, OLD_SECRET]) t.same(new Webhook(secret).verify(text, headers), JSON.parse(text))
    t.throws(() => new Webhook(SECRET).verify(`${text} `, headers), 'other bytes are not signed')
    t.throws(() => new Webhook(SECRET).verify(text, { ...headers, 'webhook-id': 'another' }))
    t.notMatch(text, /example\.org|نوف/)
    t.notMatch(text, number.phone.slice(1))
  }
})

void t.test('delivers no event for rejected changes', async (t) => {
  const { world, receiver } = await openWebhookWorld()
  const token = await adminToken(world)
  const person = await world.person()
  const other = await world.person()
  const ownToken = await person.token()
  const taken = clientForm({ ...person, email: other.email })
  t.equal((await world.send('updateProfile')({ token: ownToken, form: taken })).status, 422)
  await world.send('adminRestoreUser')({ ...userPath(person), token, json: { reason: 'is not suspended' } })
  await world.send('deleteProfileFile')({ token: ownToken, path: { kind: 'logo' } })
  t.same(await eventsIn(world, token, { account_id: person.id }), [])
  t.same(receiver.receivedFor(person.id), [])
})

void t.test('retries an event with the same id until its attempts are exhausted', async (t) => {
  const { world, receiver, id } = await suspended(500)
  for (const attempts of [1, 2]) {
    const failed = await settled(world, id, hasFailed(attempts))
    world.wait(Number(failed.nextAttemptAt) - world.service.clock.nowMs() + 1000)
    await receiver.until(id, attempts + 1)
  }
  await settled(world, id, hasFailed(3))
  await world.service.database.prisma.event.updateMany({
    where: { accountId: id },
    data: { attempts: 9, nextAttemptAt: new Date(world.service.clock.nowMs()) },
  })
  const given = await settled(world, id, hasState('failed'))
  t.match(given, { attempts: 10, lastFailure: 'status 500', nextAttemptAt: null })
  t.equal(idsOf(receiver.receivedFor(id)).size, 1)
  t.match(world.service.log.join(''), /event delivery failed, no more retries/)

  receiver.respondTo(id, 200)
  const json = { by: 'event', id: given.webhookId }
  const replayed = await world.send('adminReplayEvents')({ token: await adminToken(world), json })
  t.match(replayed.body.data, { replayed: 1 })
  t.match(await settled(world, id, hasState('delivered')), { attempts: 1, lastFailure: null })
  t.equal(idsOf(receiver.receivedFor(id)).size, 1)
})

void t.test('does not retry after 410', async (t) => {
  const { world, id } = await suspended(410)
  t.match(await settled(world, id, hasState('failed')), { attempts: 1, lastFailure: 'status 410' })
})

void t.test('does not follow redirects', async (t) => {
  const { world, receiver, id } = await suspended(307)
  t.match(await settled(world, id, (row) => row.lastFailure === 'status 307'), { attempts: 1, state: 'waiting' })
  t.equal(receiver.receivedFor(id).length, 1)
})

void t.test('delivers an event again after an unfinished attempt', async (t) => {
  const { world, receiver, id } = await suspended(null)
  t.match(await settled(world, id, hasState('waiting')), { attempts: 1, lastFailure: null })
  receiver.respondTo(id, 204)
  world.wait(61_000)
  await receiver.until(id, 2)
  t.match(await settled(world, id, hasState('delivered')), { attempts: 2 })
})

void t.test('delivers an event from one of two instances', async (t) => {
  const { world, receiver } = await openWebhookWorld()
  await anotherOf(world, t)
  const token = await adminToken(world)
  const people = await Promise.all(Array.from({ length: 30 }, () => world.person()))
  await Promise.all(
    people.map((person) => world.send('adminSuspendUser')({ ...userPath(person), token, json: { reason: 'why' } })),
  )
  for (const { id } of people) t.equal((await settled(world, id, hasState('delivered'))).attempts, 1)
  for (const { id } of people) t.equal(receiver.receivedFor(id).length, 1)
})

void t.test('stores events without a webhook URL', async (t) => {
  const { world } = await openWebhookWorld()
  const { context } = await anotherOf(world, t, { events: undefined })
  const { id: accountId } = await world.person()
  const auditContext = { subject: null, address: null, requestId: null }
  await context.store.administration.suspend({ accountId, actor: 'command line', reason: 'why', auditContext })
  const events = await eventsIn(world, await adminToken(world), { account_id: accountId })
  t.match(events, [{ state: 'unsent', attempts: 0, next_attempt_at: null }])
})

void t.test('releases unfinished events at shutdown', async (t) => {
  const receiver = await receiving
  const service = await openService({ config: { events: { url: receiver.url, secrets: [SECRET] } } })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const { id } = await world.person()
  const hanging = 1_000_000 + id
  receiver.respondTo(hanging, null)
  const data = {
    accountId: hanging,
    type: 'account.suspended',
    data: { account_id: hanging },
    nextAttemptAt: new Date(0),
  }
  const { prisma } = service.database
  const { id: event } = await prisma.event.create({ data })
  await receiver.until(hanging, 1)
  await service.app.close()
  const row = await prisma.event.findUniqueOrThrow({ where: { id: event } })
  t.match(row, { attempts: 0, nextAttemptAt: Date, lastFailure: null, deliveredAt: null })
  t.ok(Number(row.nextAttemptAt) > 0)
})

void t.test('claims no more events than the limit, whatever the query plan', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { pool } = service.database
  const fill = (count: number, due: string): Promise<unknown> =>
    pool.query(`INSERT INTO events (type, account_id, data, next_attempt_at)
      SELECT 'account.deleted', n, jsonb_build_object('account_id', n), ${due} FROM generate_series(1, ${count}) n`)
  await fill(500, 'NULL')
  await pool.query('DELETE FROM events WHERE account_id > 1')
  await service.asOwner('VACUUM ANALYZE events')
  await fill(30, 'now()')
  const { events } = service.app.context.store
  const taken = [await events.takeDue(8), await events.takeDue(8)]
  t.same(
    taken.map(({ length }) => length),
    [8, 8],
  )
  t.equal(new Set(taken.flat().map(({ webhookId }) => webhookId)).size, 16)
})

void t.test('renews the lease of a running attempt, and leaves ended ones', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { events } = service.app.context.store
  const { prisma } = service.database
  const world = await openWorld(service)
  const add = (id: number): Promise<unknown> =>
    prisma.event.create({
      data: { accountId: id, type: 'account.deleted', data: { account_id: id }, nextAttemptAt: new Date(0) },
    })
  await add(1)
  await add(2)
  const taken = await events.takeDue(8)
  const [running, failed] = taken
  if (!running || !failed) throw new Error('events are missing')
  await events.markFailed(failed, 'status 500', undefined)
  for (let renewals = 0; renewals < 5; renewals++) {
    world.wait(LEASE_MS / 2)
    await events.renewLeases(taken)
    t.same(await events.takeDue(8), [], 'another instance does not take it')
  }
  world.wait(LEASE_MS + 1000)
  t.match(await events.takeDue(8), [{ id: running.id, attempts: 2 }], 'nor one whose attempts are over')
  await events.renewLeases([running])
  world.wait(LEASE_MS + 1000)
  t.equal((await events.takeDue(8)).length, 1, 'a later attempt is not renewed by an earlier one')
})

void t.test('renews leases while a delivery lasts', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const { events } = service.app.context.store
  const data = { accountId: 1, type: 'account.deleted', data: { account_id: 1 }, nextAttemptAt: new Date(0) }
  const { id } = await service.database.prisma.event.create({ data })
  const leaseEnd = async (): Promise<number> =>
    Number((await service.database.prisma.event.findUniqueOrThrow({ where: { id } })).nextAttemptAt)
  let end = (): void => undefined
  const delivering = new Promise<void>((resolve) => (end = resolve))
  const dispatcher = startDispatcher(events, {
    names: { delivery: 'an event delivery', due: 'due events' },
    inFlightMax: 1,
    pollMs: LOOK_MS,
    renewMs: LOOK_MS,
    settleMsMax: 60_000,
    deliver: async (due) => {
      await delivering
      await events.markDelivered(due)
    },
    cutOff: () => undefined,
    log: service.app.context.log,
  })
  while ((await leaseEnd()) === 0) await sleep(LOOK_MS)
  const first = await leaseEnd()
  world.wait(LEASE_MS / 2)
  while ((await leaseEnd()) < first + LEASE_MS / 2) await sleep(LOOK_MS)
  const stopping = dispatcher.stop()
  world.wait(LEASE_MS / 2)
  while ((await leaseEnd()) < first + LEASE_MS) await sleep(LOOK_MS)
  end()
  await stopping
  t.equal(await leaseEnd(), 0, 'delivered')
})

void t.test('ignores the end of an attempt that a replay has overtaken', async (t) => {
  const { world } = await openWebhookWorld()
  const { context } = await anotherOf(world, t, { events: undefined })
  const { events } = context.store
  const { id: accountId } = await world.person()
  const takenAt = new Date('2026-01-02T03:04:05.678Z')
  const data = {
    accountId,
    type: 'account.suspended',
    data: { account_id: accountId },
    attempts: 1,
    lastAttemptAt: takenAt,
  }
  const { id } = await world.service.database.prisma.event.create({ data })
  await events.markFailed({ id, takenAt: new Date(0) }, 'status 500', undefined)
  const stateOf = async (): Promise<Row> => settled(world, accountId, () => true)
  t.match(await stateOf(), { lastFailure: null })
  await events.markDelivered({ id, takenAt })
  t.match(await stateOf(), { state: 'delivered' })
})
