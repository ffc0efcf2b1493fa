// Retries with the same Idempotency-Key: what they return, and what they cost.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { adminToken, eventsOf, userPath } from '../../support/cases/administration.ts'
import { interrupt, withKey } from '../../support/cases/idempotency-cases.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { countStatements } from '../../support/service/statements.ts'
import { openWorld, tokensIn, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const unavailable = (): Failure => new Failure('database_unavailable', { retryAfterSeconds: 1 })

function smsRequest(world: World): { form: Record<string, string> } {
  return { form: { phone_code: '966', phone: world.newPhone() } }
}

void t.test('counts retries towards the limit of retries only', async (t) => {
  const world = await openWorld()
  const send = world.send('checkPhone')
  const keyed = withKey(smsRequest(world), randomUUID())
  await send(keyed)
  const { points } = RATE_LIMITS['idempotency-keys']
  for (let retry = 1; retry < points; retry++) await send(keyed)
  const refused = await send(keyed)
  t.equal(refused.headers['error-code'], 'rate_limited')
  t.equal((await send(smsRequest(world))).status, 200, 'the limits of the operation are not used up')
  world.wait(MINUTE_MS + 1000)
  t.equal((await send(keyed)).status, 200)
})

void t.test('forgets the key of a rejected request', async (t) => {
  const world = await openWorld()
  const send = world.send('checkPhone')
  const { phone } = await world.person()
  const key = randomUUID()
  const taken = withKey({ form: { phone_code: '966', phone } }, key)
  t.equal((await send(taken)).status, 422)
  t.equal((await send(taken)).body.data.codes.phone[0], 'phone_taken', 'the retry runs')
  t.equal((await send(withKey(smsRequest(world), key))).status, 200, 'the key is free for another body')
})

void t.test('accepts the same fields in another media type and order', async (t) => {
  const world = await openWorld()
  const send = world.send('checkPhone')
  const { form } = smsRequest(world)
  const key = randomUUID()
  await send(withKey({ form }, key))
  const { phone, phone_code } = form
  const again = await send(withKey({ json: { phone, phone_code } }, key))
  t.match(again, { status: 200, headers: { 'idempotency-replayed': 'true' } })
})

void t.test('counts Retry-After of a replay from the first request', async (t) => {
  const world = await openWorld()
  const send = world.send('checkPhone')
  const keyed = withKey(smsRequest(world), randomUUID())
  await send(keyed)
  world.wait(45_000)
  t.ok(Number((await send(keyed)).headers['retry-after']) <= 15)
  world.wait(HOUR_MS)
  t.equal((await send(keyed)).headers['retry-after'], '0')
})

void t.test('treats a key as new after 24 hours', async (t) => {
  const world = await openWorld()
  const send = world.send('checkPhone')
  const { form } = smsRequest(world)
  const key = randomUUID()
  await send(withKey({ form }, key))
  world.wait(LIMITS.idempotency.hours * HOUR_MS - MINUTE_MS)
  t.equal((await send(withKey({ form }, key))).headers['idempotency-replayed'], 'true')
  world.wait(2 * MINUTE_MS)
  t.notOk((await send(withKey({ form }, key))).headers['idempotency-replayed'])
  t.equal(world.textsTo(form['phone'] ?? '').length, 2)
})

void t.test('runs again after an interrupted request that stored nothing', async (t) => {
  const world = await openWorld()
  const [send, key, json] = [world.send('register'), randomUUID(), clientRegistration()]
  const { store } = world.service.app.context
  const { add } = store.registrations
  // a process that is killed before it stores the account
  store.registrations.add = () => Promise.reject(new Error('killed'))
  const { release } = store.idempotencyKeys
  store.idempotencyKeys.release = () => Promise.resolve()
  t.equal((await send(withKey({ json }, key))).status, 500)
  Object.assign(store.registrations, { add })
  Object.assign(store.idempotencyKeys, { release })

  t.equal((await send(withKey({ json }, key))).headers['error-code'], 'idempotency_in_progress')
  world.wait(LIMITS.idempotency.lease_seconds * 1000 + 1000)
  const received = await send(withKey({ json }, key))
  t.match(received, { status: 201, headers: { 'idempotency-replayed': undefined } })
})

void t.test('stores nothing of a request whose key another one has taken over', async (t) => {
  const world = await openWorld()
  const json = clientRegistration()
  const { idempotencyKeys, registrations } = world.service.app.context.store
  const add = registrations.add
  const keyed = withKey({ json }, randomUUID())
  registrations.add = async (registration, claim) => {
    registrations.add = add
    await world.service.database.pool.query('UPDATE idempotency_keys SET claim = gen_random_uuid() WHERE id = $1', [
      claim?.id,
    ])
    return add(registration, claim)
  }
  t.equal((await world.send('register')(keyed)).headers['error-code'], 'idempotency_in_progress')
  t.equal(await world.service.database.prisma.account.count({ where: { email: json['email'] ?? '' } }), 0)
  t.ok(idempotencyKeys)

  const [token, person] = [await adminToken(world), await world.person()]
  const { administration } = world.service.app.context.store
  const { suspend } = administration
  administration.suspend = async (action, completion) => {
    Object.assign(administration, { suspend })
    await world.service.database.pool.query('UPDATE idempotency_keys SET claim = gen_random_uuid()')
    return suspend(action, completion)
  }
  const change = withKey({ token, ...userPath(person), json: { reason: 'spam' } }, randomUUID())
  t.equal((await world.send('adminSuspendUser')(change)).headers['error-code'], 'idempotency_in_progress')
  t.same(await eventsOf(world, person.id), [])
})

void t.test('returns current tokens after the session was refreshed, and none after a suspension', async (t) => {
  const world = await openWorld()
  const keyed = withKey({ json: clientRegistration() }, randomUUID())
  const first = tokensIn(await world.send('register')(keyed))
  t.equal(tokensIn(await world.send('register')(keyed)).refresh, first.refresh, 'the same refresh token')
  const refresh = async (refresh_token: string): Promise<number> =>
    (await world.send('refreshToken')({ json: { refresh_token } })).status
  await refresh(first.refresh)
  world.wait(MINUTE_MS)
  const again = tokensIn(await world.send('register')(keyed))
  t.equal(await refresh(again.refresh), 200, 'not taken for a stolen one')

  const email = (keyed.json as { email: string }).email
  await world.service.database.prisma.account.update({ where: { email }, data: { status: 'suspended' } })
  t.equal((await world.send('register')(keyed)).headers['error-code'], 'idempotency_session_ended')
})

void t.test('separates keys of operations, of administrators and of users', async (t) => {
  const world = await openWorld()
  const [key, json, person] = [randomUUID(), { reason: 'spam' }, await world.person()]
  const suspend = world.send('adminSuspendUser')
  const token = await adminToken(world)
  await suspend(withKey({ token, ...userPath(person), json }, key))
  const other = await suspend(withKey({ token: await adminToken(world), ...userPath(person), json }, key))
  t.notOk(other.headers['idempotency-replayed'], 'the key of another administrator')
  const restored = await world.send('adminRestoreUser')(withKey({ token, ...userPath(person), json }, key))
  t.match(restored, { status: 200, headers: { 'idempotency-replayed': undefined } })
  const elsewhere = await suspend(withKey({ token, ...userPath(await world.person()), json }, key))
  t.same(elsewhere.body.data.codes, { 'idempotency-key': ['idempotency_key_reused'] })
  const replayed = await suspend(withKey({ token, ...userPath(person), json }, key))
  t.equal(replayed.body.data.account.status, 'suspended', 'the result of the first request, not the current state')
  await world.service.database.prisma.account.updateMany({ where: { isAdmin: true }, data: { isAdmin: false } })
  t.equal((await suspend(withKey({ token, ...userPath(person), json }, key))).status, 403)
})

/** How often the database does not respond */
const FAULTS = 3

/** Lets the service try again what the database did not respond to. */
async function recover(world: World): Promise<void> {
  for (let times = 0; times <= FAULTS; times++) await world.service.app.context.background.settle()
}

void t.test('runs the retry of a request whose claim had no response', async (t) => {
  const world = await openWorld()
  const { form } = smsRequest(world)
  const keyed = withKey({ form }, randomUUID())
  const { idempotencyKeys } = world.service.app.context.store
  const { claim, release } = idempotencyKeys
  idempotencyKeys.claim = async (...given) => {
    await claim(...given)
    throw unavailable()
  }
  let faults = FAULTS
  idempotencyKeys.release = (given) => (faults-- > 0 ? Promise.reject(unavailable()) : release(given))
  t.equal((await world.send('checkPhone')(keyed)).status, 503)
  Object.assign(idempotencyKeys, { claim })
  t.equal((await world.send('checkPhone')(keyed)).headers['error-code'], 'idempotency_in_progress')
  await recover(world)
  Object.assign(idempotencyKeys, { release })
  t.equal((await world.send('checkPhone')(keyed)).status, 200)
  t.equal(world.textsTo(form['phone'] ?? '').length, 1)
})

void t.test('forgets the key of a rejected request that could not be released at once', async (t) => {
  const world = await openWorld()
  const send = world.send('checkPhone')
  const { phone } = await world.person()
  const key = randomUUID()
  const { idempotencyKeys } = world.service.app.context.store
  const { release } = idempotencyKeys
  let faults = FAULTS
  idempotencyKeys.release = (given) => (faults-- > 0 ? Promise.reject(unavailable()) : release(given))
  t.equal((await send(withKey({ form: { phone_code: '966', phone } }, key))).status, 422)
  const other = withKey(smsRequest(world), key)
  t.same((await send(other)).body.data.codes, { 'idempotency-key': ['idempotency_key_reused'] })
  await recover(world)
  Object.assign(idempotencyKeys, { release })
  t.equal((await send(other)).status, 200)
})

void t.test('does not send again if the outcome could not be stored', async (t) => {
  const world = await openWorld()
  const { form } = smsRequest(world)
  const keyed = withKey({ form }, randomUUID())
  const { idempotencyKeys } = world.service.app.context.store
  const { finish } = idempotencyKeys
  idempotencyKeys.finish = () => Promise.reject(new Error('planted'))
  t.equal((await world.send('checkPhone')(keyed)).status, 200)
  Object.assign(idempotencyKeys, { finish })
  world.wait(5 * MINUTE_MS)
  t.equal((await world.send('checkPhone')(keyed)).headers['error-code'], 'idempotency_outcome_unknown')
  t.equal(world.textsTo(form['phone'] ?? '').length, 1)
})

void t.test(
  'takes one more statement to claim a key and one to store an outcome that has no transaction',
  async (t) => {
    const world = await openWorld()
    await world.send('checkPhone')(withKey(smsRequest(world), randomUUID()))
    const plain = await countStatements(world, () => world.send('checkPhone')(smsRequest(world)))
    const keyed = withKey(smsRequest(world), randomUUID())
    const claimed = await countStatements(world, () => world.send('checkPhone')(keyed))
    const replayed = await countStatements(world, () => world.send('checkPhone')(keyed))
    t.same([claimed.statements - plain.statements, replayed.statements], [2, 1])
    await world.send('register')(withKey({ json: clientRegistration() }, randomUUID()))
    const registered = await countStatements(world, () => world.send('register')({ json: clientRegistration() }))
    const once = await countStatements(world, () =>
      world.send('register')(withKey({ json: clientRegistration() }, randomUUID())),
    )
    t.equal(once.statements - registered.statements, 1)
    await interrupt(world)
  },
)
