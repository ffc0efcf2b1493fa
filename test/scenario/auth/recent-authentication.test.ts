// Operations that can take over or export an account require the password within the last fifteen minutes.
import t, { type Test } from 'tap'
import { unknownUndo } from '../../support/accounts/undos.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { eventsOf } from '../../support/cases/administration.ts'
import type { Received } from '../../support/service/responses.ts'
import { instanceWith } from '../../support/service/instance.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { saudiNumber } from '../../support/accounts/registrations.ts'
import { storedPerson } from '../../support/accounts/stored-profile.ts'
import { SECRET } from '../../support/servers/receiver.ts'
import { RECENT_REQUESTS, type RecentRequest } from '../../support/accounts/recent-requests.ts'
import { sender, type Form, type Send } from '../../support/service/sender.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'
import { raceRounds } from '../../support/timing/races.ts'

const NEW_PASSWORD = 'olive3kayak'
const STALE_MS = 16 * 60_000
/** Reads of administrators, which require authentication within 12 hours */
const READS = ['adminListUsers', 'adminGetUser', 'adminListAudit', 'adminListEvents']
const json = { method: 'password', password: PASSWORD }
/** More than a request takes on a slow machine. test/domain/recent-authentication.test.ts tests the exact limit. */
const MARGIN_SECONDS = 30

/** No server listens at this URL, so events wait for the next attempt. */
const events = { url: 'http://127.0.0.1:1/', secrets: [SECRET] }
const service = await sharedService({ events })
const { keys } = service.config
const second = await instanceWith(service, 'text' in keys ? keys.text : '')

type Instances = Record<'one instance' | 'another instance', (id: OperationId) => Send>
const instancesOf = (world: World): Instances => ({
  'one instance': (id) => world.send(id),
  'another instance': (id) => second.send(id),
})

/** Sends a request of a new person whose session authenticated a given number of seconds ago. */
async function sentAt(seconds: number, id: OperationId, requestOf: RecentRequest): Promise<Received> {
  const world = await openWorld(service)
  const person = await world.person({ isAdmin: id.startsWith('admin') })
  const { refresh } = await person.logIn()
  const sent = await requestOf(world, person)
  const { rows } = await service.database.pool.query<{ age: number }>(
    'SELECT extract(epoch FROM now() - authenticated_at)::float8 AS age FROM sessions WHERE account_id = $1 ORDER BY 1 DESC',
    [person.id],
  )
  world.wait((seconds - (rows[0]?.age ?? 0)) * 1000)
  const { token } = tokensIn(await world.send('refreshToken')({ json: { refresh_token: refresh } }))
  return world.send(id)({ ...sent, token })
}

for (const [id, requestOf] of Object.entries(RECENT_REQUESTS)) {
  void t.test(`accepts ${id} shortly before the limit, and rejects it one second after it`, async (t) => {
    const seconds = READS.includes(id) ? 12 * 3600 : 900
    const before = await sentAt(seconds - MARGIN_SECONDS, id as OperationId, requestOf)
    t.ok(before.status < 300, JSON.stringify(before.body))
    const { status, headers } = await sentAt(seconds + 1, id as OperationId, requestOf)
    t.same([status, headers['error-code']], [403, 'reauthentication_required'])
    t.equal(headers['www-authenticate'], `Bearer error="insufficient_user_authentication", max_age="${seconds}"`)
  })
}

/** A person whose session has no recent authentication, and the token of that session */
async function stale(): Promise<{ world: World; person: Person; token: string; refresh: string }> {
  const world = await openWorld(service)
  const person = await world.person()
  const { token, refresh } = await person.logIn()
  world.wait(STALE_MS)
  return { world, person, token, refresh }
}

/** The login and recovery data of an account, and the number of its active sessions */
function identityOf({ service: { database } }: World, id: number): Promise<unknown> {
  return database.prisma.account.findUniqueOrThrow({
    where: { id },
    select: {
      email: true,
      phone: true,
      passwordHash: true,
      profile: { select: { name: true } },
      sessions: { where: { endedAt: null }, select: { id: true } },
    },
  })
}

void t.test('returns 403 to a stale session for any body', async (t) => {
  const { world, person, token } = await stale()
  await world.service.database.prisma.account.update({ where: { id: person.id }, data: { isAdmin: true } })
  const path = { user_id: '2000000000' }
  for (const id of ['adminSuspendUser', 'adminRestoreUser', 'adminReviewLawyer'] as const) {
    for (const body of [{ raw: '{', type: 'application/json' }, { json: {} }, { raw: 'x', type: 'text/plain' }, {}])
      t.equal((await world.send(id)({ path, ...body, token })).status, 403, id)
  }
})

void t.test('accepts an unchanged profile from a stale session, in any format', async (t) => {
  const { world, person, token } = await stale()
  const other = await person.token()
  const forms = [
    clientForm(person, { name: 'Sara' }),
    clientForm({ email: ` ${person.email.toUpperCase()} `, phone: `+966 ${person.phone.slice(1)}` }),
    clientForm(person, { password: PASSWORD, name: 'نورة' }),
  ]
  const before = (await identityOf(world, person.id)) as object
  for (const form of forms) t.equal((await world.send('updateProfile')({ token, form })).status, 200)
  t.same(await identityOf(world, person.id), { ...before, profile: { name: 'نورة' } })
  t.equal((await world.send('checkToken')({ token: other })).status, 200, 'the stored password changes nothing')
})

void t.test('treats a pending e-mail address as unchanged', async (t) => {
  const { world, person, token } = await stale()
  const pendingEmail = `pending-${person.email}`
  await world.service.database.prisma.account.update({ where: { id: person.id }, data: { pendingEmail } })
  const form = clientForm({ ...person, email: pendingEmail })
  t.equal((await world.send('updateProfile')({ token, form })).status, 200)
})

const CHANGES: Record<string, (world: World, person: Person) => Promise<Form>> = {
  'the e-mail address': (_world, person) => Promise.resolve(clientForm({ ...person, email: `new-${person.email}` })),
  'the e-mail address to a taken one': async (world, person) =>
    clientForm({ ...person, email: (await world.person()).email }),
  'the phone number, with its code': async (world, person) => {
    const phone = world.newPhone()
    await world.send('checkPhone')({ form: { phone_code: '966', phone } })
    return clientForm({ ...person, phone }, { otp: world.codesTo(phone)[0] ?? '' })
  },
  'the phone number to a taken one': async (world, person) =>
    clientForm({ ...person, phone: (await world.person()).phone }, { otp: '000000' }),
  'the password': (_world, person) => Promise.resolve(clientForm(person, { password: NEW_PASSWORD })),
}

for (const [what, formOf] of Object.entries(CHANGES)) {
  void t.test(`does not let a stolen access token older than fifteen minutes change ${what}`, async (t) => {
    const { world, person, token } = await stale()
    const form = await formOf(world, person)
    const before = await identityOf(world, person.id)
    const windows = await world.service.database.prisma.phoneVerification.findMany({ select: { version: true } })
    for (const [where, instance] of Object.entries(instancesOf(world))) {
      const received = await instance('updateProfile')({ token, form: { ...form, name: 'Mallory' } })
      t.same([received.status, received.headers['error-code']], [403, 'reauthentication_required'], where)
      t.equal(received.body.data, null, 'the response does not reveal other accounts')
    }
    t.same(await identityOf(world, person.id), before, 'nothing is stored')
    t.same(
      await world.service.database.prisma.phoneVerification.findMany({ select: { version: true } }),
      windows,
      'no code is evaluated',
    )
  })
}

void t.test('validates the form before returning 403', async (t) => {
  const { world, person, token } = await stale()
  const form = { ...clientForm({ ...person, email: (await world.person()).email }), gender: 'x' }
  const received = await world.send('updateProfile')({ token, form })
  t.same([received.status, received.body.data.codes], [422, { gender: ['not_allowed'] }])
  const unchanged = await world.send('updateProfile')({
    token,
    form: clientForm(person, { gender: 'x', city_id: '999999' }),
  })
  const codes = { gender: ['not_allowed'], city_id: ['unknown_id'] }
  t.same(unchanged.body.data.codes, codes, 'reports all errors if no identifier changes')
})

void t.test('counts and audits passwords tried on a stale session', async (t) => {
  const { world, person, token } = await stale()
  const update = (password: string): Promise<Received> =>
    world.send('updateProfile')({ token, form: clientForm(person, { password }) })
  const statuses: number[] = []
  for (let guess = 0; guess < 11; guess++) statuses.push((await update(`${NEW_PASSWORD} ${guess}`)).status)
  t.same(statuses, [...Array<number>(10).fill(403), 429])
  t.equal((await update(PASSWORD)).status, 429, 'the right password is not compared any more')
  const names = (await eventsOf(world, person.id)).map(({ event }) => event)
  t.equal(names.filter((name) => name === 'reauthentication_failed').length, 10)
  t.equal(names.filter((name) => name === 'reauthentication_limited').length, 1)
})

void t.test('blocks only the network of a thief who tries passwords with a stolen token', async (t) => {
  const world = await openWorld(service)
  const person = await world.person()
  const token = await person.token()
  const thief = sender(service.origin, 'reauthenticate', '203.0.113.77')
  const wrong = { token, json: { method: 'password', password: 'wrong password' } }
  const statuses: number[] = []
  for (let guess = 0; guess < 11; guess++) statuses.push((await thief(wrong)).status)
  t.same(statuses, [...Array<number>(10).fill(422), 429])
  t.equal((await world.send('reauthenticate')({ token, json })).status, 200)
})

void t.test('ignores a password that was replaced after it was compared', async (t) => {
  const world = await openWorld(service)
  const { id: accountId, ...person } = await world.person()
  await person.token()
  const { prisma } = world.service.database
  const { id: sessionId } = await prisma.session.findFirstOrThrow({ where: { accountId } })
  const session = { passwordHash: 'the hash before', address: '::1', userAgent: undefined }
  const auditContext = { subject: null, address: null, requestId: null }
  const { sessions } = world.service.app.context.store
  t.equal(await sessions.replace({ accountId, sessionId }, session, auditContext), undefined)
  t.match(await prisma.session.findMany({ where: { accountId } }), [{ id: sessionId, endedAt: null }])
})

void t.test(
  'continues the session, with the same time of authentication, after a new password in the profile form',
  async (t) => {
    const world = await openWorld(service)
    const person = await world.person()
    const stranger = await world.person()
    const theirs = await stranger.token()
    const other = await person.token()
    const token = await person.token()
    const update = (form: Form): Promise<Received> => world.send('updateProfile')({ token, form })
    t.equal((await update(clientForm(person, { password: NEW_PASSWORD }))).status, 200)
    t.equal((await world.send('checkToken')({ token: other })).status, 401)
    t.equal((await world.send('getProfile')({ token })).status, 200)
    t.equal((await update(clientForm(person, { name: 'Sara' }))).status, 200)
    t.equal((await update(clientForm(person, { password: NEW_PASSWORD }))).status, 200, 'a repeated form is accepted')
    const { phone, otp } = await saudiNumber(world)
    t.equal((await update(clientForm({ ...person, phone }, { otp }))).status, 200, 'another change needs no login')
    world.wait(STALE_MS)
    t.equal((await update(clientForm({ ...person, email: `new-${person.email}` }))).status, 403, 'not renewed')
    t.equal((await world.send('exportAccount')({ token })).status, 403)
    t.equal((await world.send('checkToken')({ token: theirs })).status, 200, 'other accounts are not affected')
  },
)

void t.test('does not renew recent authentication by refreshing', async (t) => {
  const { world, refresh } = await stale()
  const refreshed = tokensIn(await world.send('refreshToken')({ json: { refresh_token: refresh } }))
  t.equal((await world.send('exportAccount')({ token: refreshed.token })).status, 403)
})

void t.test('revokes old tokens on every instance after reauthentication', async (t) => {
  const { world, token, refresh } = await stale()
  t.equal((await second.send('checkToken')({ token })).status, 200)
  const begun = tokensIn(await world.send('reauthenticate')({ token, json }))
  for (const [where, instance] of Object.entries(instancesOf(world))) {
    t.equal((await instance('checkToken')({ token })).headers['error-code'], 'token_revoked', where)
    t.equal((await instance('refreshToken')({ json: { refresh_token: refresh } })).status, 401, where)
    t.equal((await instance('exportAccount')({ token: begun.token })).status, 200, where)
  }
  world.wait(STALE_MS)
  t.equal((await second.send('exportAccount')({ token: begun.token })).status, 403)
})

void t.test('checks recent authentication again under the account lock', async (t) => {
  const { world, person } = await stale()
  const { id: accountId, email } = person
  const { prisma } = world.service.database
  const { id: sessionId } = await prisma.session.findFirstOrThrow({ where: { accountId } })
  const recent = { maxAgeSeconds: 900, when: null }
  const bearer = { accountId, sessionId, recent }
  await prisma.account.update({ where: { id: accountId }, data: { isAdmin: true } })
  const trace = { subject: null, address: null, requestId: null }
  const { sessions, administration, profiles } = world.service.app.context.store
  const refusal = { code: 'reauthentication_required', maxAgeSeconds: 900 }
  await t.rejects(sessions.endOthers(bearer, { event: 'other_sessions_revoked', accountId, ...trace }), refusal)
  const target = (await world.person()).id
  await t.rejects(
    administration.suspend({ accountId: target, actor: bearer, reason: null, auditContext: trace }),
    refusal,
  )

  const change = {
    account: { accountType: 'client', phone: undefined, passwordHash: undefined },
    toDetails: () => ({ person: { ...storedPerson, cityId: 1 }, lawyer: undefined }),
    verification: undefined,
    files: [],
    emailWish: { email, isConfirmable: false },
    undo: unknownUndo,
    expectedVersions: undefined,
    removedFiles: [],
  } as const
  await prisma.account.update({ where: { id: accountId }, data: { email: `new-${email}` } })
  const updating = { ...bearer, recent: { ...recent, when: ['email'] } }
  const records = { toAuditEvents: () => [], toMails: () => [] }
  await t.rejects(profiles.update(updating, change, records), refusal, 'the owner has changed the address meanwhile')
  await prisma.account.update({ where: { id: accountId }, data: { email } })
  t.same((await profiles.update(updating, change, records)).replaced, [])
})

const ROUNDS = raceRounds(50)
/** Another session of the same person that sends a request at the same time */
type Rival = { token: string; racingId: string }

type Race = (world: World, rival: Rival) => Promise<Received>

const RACES: Record<string, Race> = {
  'itself, on the same session': (world, { token }) => world.send('reauthenticate')({ token, json }),
  'the revocation of its session': (world, { token, racingId }) =>
    world.send('revokeSession')({ token, path: { session_id: racingId } }),
  'the revocation of all others': (world, { token }) => world.send('revokeOtherSessions')({ token }),
  'a change of the password': (world, { token }) =>
    world.send('changePassword')({ token, json: { current_password: PASSWORD, new_password: NEW_PASSWORD } }),
}

for (const [what, run] of Object.entries(RACES)) {
  void t.test(`leaves no extra session when reauthentication races ${what}`, async (t) => {
    for (let round = 0; round < ROUNDS; round++) await race(t, what, run)
  })
}

async function race(t: Test, what: string, run: Race): Promise<void> {
  const world = await openWorld(service)
  const person = await world.person()
  const { prisma } = world.service.database
  const live = { accountId: person.id, endedAt: null }
  const racing = await person.token()
  const racingId = (await prisma.session.findFirstOrThrow({ where: live })).id
  const isSame = what.startsWith('itself')
  const token = isSame ? racing : await person.token()
  const [replaced, rival] = await Promise.all([
    second.send('reauthenticate')({ token: racing, json }),
    run(world, { token, racingId }),
  ])

  const sessions = await prisma.session.count({ where: live })
  if (isSame) {
    t.same([replaced.status, rival.status].sort(), [200, 401], 'one of them succeeds')
    t.equal(sessions, 1)
    return
  }
  const isRefused = replaced.status !== 200
  if (what === 'the revocation of its session') {
    t.same([isRefused, rival.status], [rival.status === 200, isRefused ? 200 : 404])
    t.equal(sessions, isRefused ? 1 : 2)
    return
  }
  t.equal(rival.status, 200)
  t.equal(sessions, 1, 'only the session of the other request is active')
}
