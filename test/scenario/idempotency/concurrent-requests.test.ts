// Concurrent requests with one Idempotency-Key, over two instances on one database. RACE_ROUNDS sets the number of rounds:
// TEST_MINUTES=60 RACE_ROUNDS=200 DATABASE_URL=… REDIS_URL=… npm test -- idempotency/concurrent
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { openApp } from '../../../src/app.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { adminToken, eventsOf, userPath } from '../../support/cases/administration.ts'
import { withKey } from '../../support/cases/idempotency-cases.ts'
import { mailsTo, settled } from '../../support/accounts/resets.ts'
import { clientRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import type { Received } from '../../support/service/responses.ts'
import { sender, untilServed, type Sent } from '../../support/service/sender.ts'
import { openWorld, sharedService, tokensIn, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const CROWD = 64
const ROUNDS = raceRounds(5)

const service = await sharedService()
const { database } = service
const second = await openApp(service.config, service.dependencies)
t.teardown(() => second.close())
const origins = [service.origin, await second.server.listen({ host: '127.0.0.1', port: 0 })]
if (ROUNDS > 10) t.setTimeout(0)

let addresses = 0

/** Returns an address that has sent no request, because requests with keys are limited by network. */
function newAddress(): string {
  const number = ++addresses
  return `172.${16 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
}

/** Sends equal requests to both instances in turn, each from its own address. */
function crowd(id: OperationId, sent: Sent): Promise<Received[]> {
  return Promise.all(Array.from({ length: CROWD }, (_, at) => sender(origins[at % 2] ?? '', id, newAddress())(sent)))
}

/** Returns how many responses are of the request that ran, and the codes of the others without a replayed result. */
function outcomes(responses: Received[], status: number): { ran: number; rejected: string[] } {
  const results = responses.filter((response) => response.status === status)
  const ran = results.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length
  const others = responses.filter((response) => response.status !== status)
  return { ran, rejected: [...new Set(others.map(({ headers }) => headers['error-code'] ?? ''))] }
}

/** What the others get: they wait for the request that runs, or a busy machine has no PostgreSQL or Redis for them */
const EXPECTED = new Set(['idempotency_in_progress', 'database_unavailable', 'limits_unavailable', 'overloaded'])

/** Runs a race, and fails if more than one request ran. Returns the response to a retry. */
async function race(
  t: Pick<Test, 'ok' | 'equal' | 'same'>,
  id: OperationId,
  sent: Sent,
  status: number,
): Promise<Received> {
  const keyed = withKey(sent, randomUUID())
  const { ran, rejected } = outcomes(await crowd(id, keyed), status)
  t.ok(ran <= 1, `${id} ran ${ran} times`)
  t.same(
    rejected.filter((code) => !EXPECTED.has(code)),
    [],
  )
  const retry = await untilServed(sender(origins[1] ?? '', id, newAddress()), keyed)
  t.equal(retry.status, status)
  if (ran === 1) t.equal(retry.headers['idempotency-replayed'], 'true')
  return retry
}

function textsTo(world: World, phone: string): number {
  const others = second.outbox?.messages.filter(({ to }) => to === `+966${phone.slice(1)}`) ?? []
  return world.textsTo(phone).length + others.length
}

void t.test(`sends one SMS for ${CROWD} requests with one key, ${ROUNDS} times`, async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await openWorld()
    const phone = world.newPhone()
    await race(t, 'checkPhone', { form: { phone_code: '966', phone } }, 200)
    t.equal(textsTo(world, phone), 1)
  }
})

void t.test(`creates one account for ${CROWD} requests with one key, ${ROUNDS} times`, async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await openWorld()
    const json = clientRegistration(round % 2 === 0 ? await saudiNumber(world) : {})
    const retry = await race(t, 'register', { json }, 201)
    const { prisma } = database
    const account = await prisma.account.findUniqueOrThrow({
      where: { email: json['email'] ?? '' },
      include: { sessions: true },
    })
    t.equal(account.sessions.length, 1)
    const registered = (await eventsOf(world, account.id)).filter(({ event }) => event === 'registered')
    t.equal(registered.length, 1)
    t.equal((await world.send('checkToken')({ token: tokensIn(retry).token })).status, 200)
    t.equal((await world.send('refreshToken')({ json: { refresh_token: tokensIn(retry).refresh } })).status, 200)
  }
})

void t.test('sends one e-mail for a password reset', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  await race(t, 'requestPasswordReset', { json: { by: 'email', email } }, 202)
  await second.context.background.settle()
  const sent = await mailsTo(world, email) // which waits for those of both instances
  const others = second.outbox?.messages.filter(({ to }) => to === email) ?? []
  t.equal(sent.length + others.length, 1)
})

void t.test('sends one SMS for a password reset', async (t) => {
  const world = await openWorld()
  const { phone } = await world.person()
  await race(t, 'requestPasswordReset', { json: { by: 'phone', phone, phone_code: '966' } }, 202)
  await settled(world)
  await second.context.background.settle()
  t.equal(textsTo(world, phone), 1)
})

void t.test('records one change of an administrator', async (t) => {
  const world = await openWorld()
  const [token, person] = [await adminToken(world), await world.person()]
  const retry = await race(t, 'adminSuspendUser', { token, ...userPath(person), json: { reason: 'spam' } }, 200)
  t.match(retry.body.data.account, { id: person.id, status: 'suspended', suspension_reason: 'spam' })
  t.equal((await eventsOf(world, person.id)).length, 1)
})
