// The function in docs/sdks.md that converts an object to a form: a profile can be sent back unchanged, and lists are
// cleared.
import t, { type Test } from 'tap'
import { clientForm, lawyerForm, picture } from '../../support/accounts/profile-forms.ts'
import { exampleIn, exportsOf } from '../../support/processes/readme.ts'
import { openWorld, type Person, type World } from '../../support/service/world.ts'

type User = Record<string, unknown>
type ProfileResponse = { status: number; user: User; codes: Record<string, string[]> }

const exported = await exportsOf(exampleIn('docs/sdks.md', 'ts', 'function formDataOf'))
const formDataOf = exported['formDataOf'] as (fields: object) => FormData

/** Sends a profile as a generated client would. */
async function put({ service }: World, token: string, fields: object): Promise<ProfileResponse> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${service.origin}/api/v1/profile`, { method: 'PUT', headers, body: formDataOf(fields) })
  const { data } = (await response.json()) as { data: { user: User; codes: ProfileResponse['codes'] } }
  return { status: response.status, user: data.user, codes: data.codes }
}

async function get(world: World, token: string): Promise<User> {
  return (await world.send('getProfile')({ token })).body.data.user as User
}

/** Sends the profile back as received, which must change nothing. */
async function sendBack(t: Test, world: World, token: string): Promise<void> {
  const user = await get(world, token)
  const { status, codes } = await put(world, token, user)
  t.equal(status, 200, JSON.stringify(codes))
  t.same(withoutExpiry(await get(world, token)), withoutExpiry(user))
}

/** Links to files expire later every few minutes. */
function withoutExpiry(user: User): unknown {
  return JSON.parse(JSON.stringify(user).replaceAll(/\?expires=[^"]*/g, ''))
}

async function lawyerIn(world: World, more: object): Promise<{ person: Person; token: string }> {
  const person = await world.person({ accountType: 'lawyer' })
  const token = await person.token()
  const form = lawyerForm(person, { profile_photo: picture(), logo: picture(), ...more })
  t.equal((await world.send('updateProfile')({ token, form })).status, 200)
  return { person, token }
}

void t.test('converts each kind of value', async (t) => {
  const photo = picture()
  const fields = { a: undefined, b: null, c: '', d: [], e: {}, f: ['x', 2], g: { 1: 'x', 2: 'y' }, h: 0, i: false }
  const form = [...formDataOf({ ...fields, photo })]
  t.same(
    form.filter(([name]) => name !== 'photo'),
    [
      ['b', ''],
      ['c', ''],
      ['d', ''],
      ['e', ''],
      ['f', 'x'],
      ['f', '2'],
      ['g[1]', 'x'],
      ['g[2]', 'y'],
      ['h', '0'],
      ['i', 'false'],
    ],
  )
  const sent = form.find(([name]) => name === 'photo')?.[1] as Blob
  t.same([sent.size, sent.type], [photo.size, photo.type])
})

void t.test('sends back the profile of a client unchanged', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  await sendBack(t, world, token)
  await world.send('updateProfile')({ token, form: clientForm(person, { profile_photo: picture() }) })
  await sendBack(t, world, token)
})

void t.test('sends back the profile of a lawyer unchanged and keeps the approval', async (t) => {
  const world = await openWorld()
  const lists = { sections: ['101', '102'], 'license_no[101]': '38/1', 'license_no[102]': '39/2' }
  const { person, token } = await lawyerIn(world, { ...lists, third_name: 'سعد' })
  const { prisma } = world.service.database
  await prisma.lawyerProfile.update({ where: { accountId: person.id }, data: { reviewStatus: 'approved' } })
  await sendBack(t, world, token)
  t.equal((await get(world, token))['review_status'], 'approved')
})

void t.test('sends back minimal and company profiles unchanged', async (t) => {
  const world = await openWorld()
  await sendBack(t, world, (await lawyerIn(world, {})).token)
  const company = { type: '3', company_name: 'مكتب', company_licences_no: '1010', company_license_file: picture() }
  const other = { degree: '4', other_degree: 'زمالة', cv_file: picture() }
  await sendBack(t, world, (await lawyerIn(world, { ...company, ...other })).token)
})

void t.test('does not revert concurrent changes', async (t) => {
  const world = await openWorld()
  const { person, token } = await lawyerIn(world, {})
  const user = await get(world, token)
  const { prisma } = world.service.database
  const data = { reviewStatus: 'rejected', reviewReason: 'صورة الهوية غير واضحة.' } as const
  await prisma.lawyerProfile.update({ where: { accountId: person.id }, data })
  const { status, user: after } = await put(world, token, { ...user, about: 'نص آخر' })
  t.equal(status, 200)
  t.match(after, { about: 'نص آخر', review_status: 'rejected', review_reason: data.reviewReason })
})

void t.test('clears lists, maps and texts', async (t) => {
  const world = await openWorld()
  const lists = { sections: ['101'], 'license_no[101]': '38/1', third_name: 'سعد' }
  const { token } = await lawyerIn(world, lists)
  const user = await get(world, token)
  const half = await put(world, token, { ...user, license_no: {} })
  t.same([half.status, half.codes], [422, { 'license_no.101': ['required'] }])
  const { status, user: after } = await put(world, token, { ...user, sections: [], license_no: {}, third_name: null })
  t.equal(status, 200)
  t.match(after, { sections: [], license_no: {}, third_name: null })
})

void t.test('turns a lawyer into a client with the same object', async (t) => {
  const world = await openWorld()
  const { token } = await lawyerIn(world, {})
  const user = await get(world, token)
  const { status, user: after } = await put(world, token, { ...user, account_type: 'client' })
  t.equal(status, 200)
  t.match(after, { account_type: 'client', name: user['name'] })
})

void t.test('requires all fields of a lawyer from a client who becomes one', async (t) => {
  const world = await openWorld()
  const token = await (await world.person()).token()
  const { status, codes } = await put(world, token, { ...(await get(world, token)), account_type: 'lawyer' })
  t.equal(status, 422)
  t.match(codes, { first_name: ['required'], national_id: ['required'], languages: ['required'] })
})
