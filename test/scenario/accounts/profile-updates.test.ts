// Updates of profiles: each returns the profile as it is stored, and a stale one writes nothing.
import t, { type Test } from 'tap'
import { throwIfTaken } from '../../../src/database/unique-conflicts.ts'
import { writeProfile, type ProfileWrite } from '../../../src/store/profiles/write-profile.ts'
import { clientForm, lawyerForm, picture } from '../../support/accounts/profile-forms.ts'
import { startLinkPeriod } from '../../support/files/links.ts'
import type { Received } from '../../support/service/responses.ts'
import type { Form } from '../../support/service/sender.ts'
import { saudiNumber } from '../../support/accounts/registrations.ts'
import { storedPerson } from '../../support/accounts/stored-profile.ts'
import { openWorld, type Person, type World } from '../../support/service/world.ts'

const LICENCES = { sections: '[101,102]', license_no: '{"101":"38/1","102":"39/2"}' }

/** The forms of consecutive updates of one account */
const UPDATES: Record<string, (person: Person) => Form> = {
  'a client': (person) => clientForm(person),
  'the same client again': (person) => clientForm(person),
  'a negative zero': (person) => clientForm(person, { longitude: '-0' }),
  'a photo of a client': (person) => clientForm(person, { profile_photo: picture() }),
  'a new lawyer': (person) => lawyerForm(person, { ...LICENCES, languages: ['40', '8'] }),
  'the same lawyer with the same files': (person) => lawyerForm(person, { ...LICENCES, languages: ['8', '40'] }),
  'other licences': (person) => lawyerForm(person, { sections: '[102]', license_no: '{"102":"40/2"}' }),
  'no licences': (person) => lawyerForm(person, { sections: '' }),
  'another language': (person) => lawyerForm(person, { languages: ['8'] }),
  'another name and cleared fields': (person) =>
    lawyerForm(person, { first_name: 'سعد', company_name: '', logo: picture() }),
  'a client who was a lawyer': (person) => clientForm(person),
  'a lawyer who was a client': (person) => lawyerForm(person),
}

void t.test('returns the profile and its tag as a later read does', async (t) => {
  const world = await openWorld()
  startLinkPeriod(world)
  const person = await world.person()
  const token = await person.token()
  const isSame = newComparison(t, world, token)
  for (const [title, form] of Object.entries(UPDATES)) {
    const updated = await world.send('updateProfile')({ token, form: form(person) })
    await isSame(updated, title)
  }
  await world.service.database.prisma.lawyerProfile.update({
    where: { accountId: person.id },
    data: { reviewStatus: 'rejected', reviewReason: 'x' },
  })
  await isSame(await world.send('patchProfile')({ token, json: { about: 'محامٍ آخر' } }), 'a detail without a review')
  await isSame(await world.send('patchProfile')({ token, json: { first_name: 'علي' } }), 'a reviewed field')
  await isSame(await world.send('patchProfile')({ token, json: { logo: null } }), 'a removed file')
})

type Compare = (received: Received, title: string) => Promise<void>

/** Returns a check that a response has the body and the tag of a read. */
function newComparison(t: Test, world: World, token: string): Compare {
  return async ({ status, headers, body }, title) => {
    const read = await world.send('getProfile')({ token })
    t.equal(status, 200, title)
    t.same(body.data.user, read.body.data.user, title)
    t.equal(headers['etag'], read.headers['etag'], title)
  }
}

void t.test('keeps what another update has stored meanwhile, and judges the form by it', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const update = (form: Form): Promise<Received> => world.send('updateProfile')({ token, form })
  const sent = (fields: Form): Promise<Received> => update(lawyerForm(person, fields))
  const { national_id_image: _, ...withoutFile } = lawyerForm(person, { about: 'محامٍ' })
  t.equal((await sent({ company_name: 'Before', third_name: 'c', ...LICENCES })).status, 200)

  const after = { company_name: 'After', third_name: 'd', sections: '[101]', license_no: '{"101":"40/1"}' }
  const [late, other] = await overtaken(
    world,
    () => update(withoutFile),
    () => sent(after),
  )
  t.equal(other.status, 200)
  t.match(late.body.data.user, { company_name: 'After', third_name: 'd', about: 'محامٍ', license_no: { 101: '40/1' } })

  const national_id = '1098765430'
  const [unproved, proved] = await overtaken(
    world,
    () => update(withoutFile),
    () => sent({ national_id }),
  )
  t.equal(proved.status, 200)
  t.match(unproved, { status: 422, body: { data: { codes: { national_id_image: ['required'] } } } })
  t.match((await world.send('getProfile')({ token })).body.data.user, { national_id })
})

void t.test('keeps a number that another update has verified meanwhile', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const update = (form: Form): Promise<Received> => world.send('updateProfile')({ token, form })
  const { phone, otp } = await saudiNumber(world)
  const [late, other] = await overtaken(
    world,
    () => update(clientForm(person, { name: 'Sara' })),
    () => update(clientForm({ ...person, phone }, { otp })),
  )
  const { phone: changed } = other.body.data.user as { phone: string }
  t.match([late.status, other.status], [200, 200])
  t.match(late.body.data.user, { name: 'Sara', phone: changed, phone_verified: true })
  t.not(changed.slice(-9), person.phone.slice(-9))
})

/** Sends an update, and another one when the first has been checked, but is not stored yet. */
async function overtaken(
  { service }: World,
  send: () => Promise<Received>,
  sendOther: () => Promise<Received>,
): Promise<[Received, Received]> {
  const { files } = service.app.context
  const { store } = files
  let other: Promise<Received> | undefined
  files.store = async (...parts) => {
    files.store = store
    other = sendOther()
    await other
    return store(...parts)
  }
  const first = await send()
  if (!other) throw new Error('the update has not been stored')
  return [first, await other]
}

void t.test('accepts the code of a new number once', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const codes = [await saudiNumber(world), await saudiNumber(world)] as const
  const change = ({ phone, otp }: { phone: string; otp: string }): Promise<Received> =>
    world.send('updateProfile')({ token, form: clientForm({ ...person, phone }, { otp }) })
  t.equal((await change(codes[0])).status, 200)
  t.equal((await change(codes[1])).status, 200)
  const again = await change(codes[0])
  t.equal(again.status, 422)
  t.match(again.body.data, { codes: { otp: ['otp_wrong'] } })
})

void t.test('writes nothing for a stale version, a session that has ended or a suspended account', async (t) => {
  const world = await openWorld()
  const { prisma, pool } = world.service.database
  const { id: accountId } = await world.person()
  const { id: sessionId } = await prisma.session.create({ data: { accountId, address: '::1' } })
  const { profileVersion: version } = await prisma.account.findUniqueOrThrow({ where: { id: accountId } })
  const counts = async (): Promise<number[]> => [
    await prisma.auditEvent.count({ where: { accountId } }),
    await prisma.event.count({ where: { accountId } }),
  ]
  const before = await counts()
  const bearer = { accountId, sessionId }
  const write = toWrite(accountId)

  t.equal(await writeProfile(pool, bearer, version + 1, write), undefined)
  await prisma.account.update({ where: { id: accountId }, data: { status: 'suspended' } })
  t.equal(await writeProfile(pool, bearer, version, write), undefined)
  await prisma.account.update({ where: { id: accountId }, data: { status: 'active' } })
  await prisma.session.update({ where: { id: sessionId }, data: { endedAt: new Date() } })
  t.equal(await writeProfile(pool, bearer, version, write), undefined)
  t.same(await counts(), before)
  await prisma.session.update({ where: { id: sessionId }, data: { endedAt: null } })
  t.match(await writeProfile(pool, bearer, version, write), { version: version + 1, replaced: [], newFiles: {} })
  t.same(
    await counts(),
    before.map((count) => count + 1),
  )
})

function toWrite(accountId: number): ProfileWrite {
  const data = { account_id: accountId, account_type: 'client', review_status: null } as const
  return {
    account: { accountType: 'client' },
    person: { ...storedPerson, cityId: 1 },
    lawyer: undefined,
    files: [],
    removedFiles: [],
    auditEvents: [{ event: 'profile_updated', accountId, subject: null, address: null, requestId: null }],
    domainEvents: [{ type: 'profile.updated', data }],
    outbox: { hasWebhook: false, onCommit: () => undefined, traceParent: () => null },
    mails: [],
  }
}

void t.test('maps the unique index of a raw statement to the field', async (t) => {
  const world = await openWorld()
  const { pool } = world.service.database
  const [{ email }, { id }] = [await world.person(), await world.person()]
  const change = pool.query('UPDATE accounts SET email = $1 WHERE id = $2', [email, id]).catch(throwIfTaken)
  await t.rejects(change, { code: 'invalid_data', fields: { email: ['email_taken'] } })
})
