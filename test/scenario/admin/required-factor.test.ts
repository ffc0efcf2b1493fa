// With MFA_REQUIRED=administrators, the operations of administrators require that they have a second factor.
import t from 'tap'
import { bindings } from '../../../generated/operations.ts'
import { openApp } from '../../../src/app.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { RECENT_REQUESTS, type MarkedOperation } from '../../support/accounts/recent-requests.ts'
import { BY_PASSWORD, protect, protectedPerson } from '../../support/accounts/second-factors.ts'
import { ADMINISTRATOR_BODIES, eventsOf, newLawyer, userPath } from '../../support/cases/administration.ts'
import { giveFile, image, PDF } from '../../support/files/files.ts'
import { SECRET } from '../../support/servers/receiver.ts'
import { begin } from '../../support/service/begun-request.ts'
import type { Received } from '../../support/service/responses.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import { openWorld, sharedService, type Person, type World } from '../../support/service/world.ts'

const IDS = Object.keys(bindings) as OperationId[] // Object.keys loses the type of the keys
const OF_ADMINISTRATORS = IDS.filter((id) => bindings[id].requiresAdministrator)
const REFUSED = [403, 'mfa_enrollment_required']
const ROUNDS = 6

/** No server listens at this URL, so events wait for the next attempt. */
const events = { url: 'http://127.0.0.1:1/', secrets: [SECRET] }
const service = await sharedService({ administratorsNeedFactor: true, events })
const optional = await openApp({ ...service.config, administratorsNeedFactor: false }, service.dependencies)
t.teardown(() => optional.close())
const optionalOrigin = await optional.server.listen({ host: '127.0.0.1', port: 0 })

/** Sends to an instance on the same database that does not require second factors. */
const sendOptionally = ({ address }: World, id: OperationId): Send => sender(optionalOrigin, id, address)
const outcomeOf = ({ status, headers }: Received): unknown[] => [status, headers['error-code']]

async function administrator(): Promise<{ world: World; admin: Person; token: string }> {
  const world = await openWorld(service)
  const admin = await world.person({ isAdmin: true })
  return { world, admin, token: await admin.token() }
}

void t.test('has a request of each operation of administrators', (t) => {
  t.ok(OF_ADMINISTRATORS.length > 7)
  t.same(
    OF_ADMINISTRATORS.filter((id) => !Object.hasOwn(RECENT_REQUESTS, id)),
    [],
  )
  t.end()
})

for (const id of OF_ADMINISTRATORS as MarkedOperation[]) {
  void t.test(`requires a second factor for ${id} only if it is configured`, async (t) => {
    const { world, admin, token } = await administrator()
    const refused = await RECENT_REQUESTS[id](world, admin)
    t.same(outcomeOf(await world.send(id)({ ...refused, token })), REFUSED)
    t.equal((await eventsOf(world, admin.id)).filter(({ event }) => event !== 'login').length, 0)
    t.equal(await service.database.prisma.auditEvent.count({ where: { actorId: admin.id } }), 0)
    const accepted = await sendOptionally(world, id)({ ...refused, token })
    t.ok(accepted.status < 300, 'without the setting, the same request succeeds')
    const sent = await RECENT_REQUESTS[id](world, admin)
    await protect(world, admin)
    t.ok((await world.send(id)({ ...sent, token })).status < 300, 'with a second factor, it succeeds')
  })
}

void t.test('names the missing factor before other faults, and other accounts first', async (t) => {
  const { world, token } = await administrator()
  const sent = { path: { user_id: 'me' }, json: { nonsense: true } }
  t.same(outcomeOf(await world.send('adminSuspendUser')({ ...sent, token })), REFUSED)
  world.wait(20 * 60_000)
  t.same(outcomeOf(await world.send('adminSuspendUser')({ ...sent, token })), REFUSED, 'before reauthentication')
  const client = await (await world.person()).token()
  t.same(outcomeOf(await world.send('adminSuspendUser')({ ...sent, token: client })), [403, 'admin_required'])
})

void t.test('says what to do, in both languages', async (t) => {
  const { world, token } = await administrator()
  const messageIn = async (language: string): Promise<unknown> =>
    (await world.send('adminListUsers')({ token, headers: { 'accept-language': language } })).body.message
  t.match(await messageIn('en'), /^Add a passkey or an authenticator app first\./)
  t.match(await messageIn('ar'), /^أضف مفتاح مرور أو تطبيق مصادقة أولاً\./)
})

void t.test('never requires it for checkAdmin, and for what administrators do as owners', async (t) => {
  const { world, admin, token } = await administrator()
  for (const send of [world.send('checkAdmin'), sendOptionally(world, 'checkAdmin')])
    t.match(await send({ token }), { status: 200, body: { data: { is_admin: true } } })
  for (const id of ['getProfile', 'checkToken', 'getFactors', 'listSessions'] as const)
    t.equal((await world.send(id)({ token })).status, 200, id)
  const path = { file_id: await giveFile(world, admin.id, 'cv_file', PDF) }
  t.equal((await world.send('getFile')({ path, token })).status, 200)
  await protect(world, admin)
  t.equal((await world.send('checkAdmin')({ token })).status, 200)
})

void t.test('requires it for files of other users', async (t) => {
  const { world, admin, token } = await administrator()
  const lawyer = await newLawyer(world)
  const path = { file_id: await giveFile(world, lawyer.id, 'cv_file', PDF) }
  const { id: sessionId } = await service.database.prisma.session.findFirstOrThrow({ where: { accountId: admin.id } })
  const link = service.app.context.fileLinks.linkTo({ id: path.file_id, kind: 'cv_file' }, sessionId)
  const query = Object.fromEntries(new URL(link, 'http://x').searchParams)
  const requests = { 'with a token': { path, token }, 'by a link of the session': { path, query } }
  for (const [how, sent] of Object.entries(requests)) {
    t.same(outcomeOf(await world.send('getFile')(sent)), REFUSED, how)
    t.equal((await sendOptionally(world, 'getFile')(sent)).status, 200, `${how}, without the setting`)
  }
  t.equal((await world.send('getFile')({ path, token: await lawyer.token() })).status, 200, 'the owner')
  await protect(world, admin)
  for (const [how, sent] of Object.entries(requests))
    t.equal((await world.send('getFile')(sent)).status, 200, `${how}, with a second factor`)
})

void t.test('does not require it for files that a link shows to everyone', async (t) => {
  const { world, token } = await administrator()
  const lawyer = await newLawyer(world)
  const path = { file_id: await giveFile(world, lawyer.id, 'profile_photo', await image()) }
  const link = service.app.context.fileLinks.linkTo({ id: path.file_id, kind: 'profile_photo' }, crypto.randomUUID())
  const query = Object.fromEntries(new URL(link, 'http://x').searchParams)
  t.equal((await world.send('getFile')({ path, query, token })).status, 200)
  t.same(outcomeOf(await world.send('getFile')({ path, token })), REFUSED, 'without the link')
})

void t.test('rejects requests if the factor is removed while the body arrives', async (t) => {
  const world = await openWorld(service)
  const lawyer = await newLawyer(world)
  for (const [id, body] of Object.entries(ADMINISTRATOR_BODIES) as [OperationId, object][]) {
    const admin = await world.person({ isAdmin: true })
    const token = await admin.token()
    await protect(world, admin)
    const sent = begin(world, id, token, lawyer.id)
    await sent.isGoingOn
    t.equal((await world.send('removeTotp')({ token, ...BY_PASSWORD })).status, 200)
    sent.end(JSON.stringify(body))
    t.same([await sent.status, await sent.errorCode], REFUSED, id)
    t.equal(await service.database.prisma.auditEvent.count({ where: { actorId: admin.id } }), 0, id)
  }
})

void t.test('suspends, or rejects, an account while the factor of the administrator is removed', async (t) => {
  const world = await openWorld(service)
  for (let round = 0; round < ROUNDS; round++) {
    const admin = await world.person({ isAdmin: true })
    const token = await admin.token()
    await protect(world, admin)
    const target = await world.person()
    const [suspended, removed] = await Promise.all([
      world.send('adminSuspendUser')({ ...userPath(target), json: { reason: 'because' }, token }),
      world.send('removeTotp')({ token, ...BY_PASSWORD }),
    ])
    t.equal(removed.status, 200)
    if (suspended.status !== 200) t.same(outcomeOf(suspended), REFUSED)
    const { status } = await service.database.prisma.account.findUniqueOrThrow({ where: { id: target.id } })
    t.equal(status, suspended.status === 200 ? 'suspended' : 'active')
  }
})

void t.test('serves an administrator again who has logged in with the second factor', async (t) => {
  const world = await openWorld(service)
  const admin = await world.person()
  const { nextCode } = await protectedPerson(world, admin)
  await service.database.prisma.account.update({ where: { id: admin.id }, data: { isAdmin: true } })
  const json = { email: admin.email, password: 'correct horse battery', code: nextCode() }
  const { body } = await world.send('login')({ json })
  const { token } = (body.data as { account: { token: string } }).account
  t.equal((await world.send('adminListUsers')({ token })).status, 200)
})
