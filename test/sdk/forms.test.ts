// Forms of the SDK.
import { toFormData } from '@tawthiq/sdk'
import {
  describeForm,
  FIELDS,
  profileForm,
  toForm,
  validateForm,
  type FormField,
  type ProfileForm,
} from '@tawthiq/sdk/forms'
import type { Fetch } from '@tawthiq/sdk'
import { once } from 'node:events'
import t from 'tap'
import { lawyerForm } from '../support/accounts/profile-forms.ts'
import { asForm, clientOf, loggedIn } from '../support/sdk/clients.ts'
import { openWorld } from '../support/service/world.ts'

void t.test('sends a profile back without changing it, and clears fields', async (t) => {
  const world = await openWorld()
  const person = await world.person({ accountType: 'lawyer' })
  const tawthiq = await loggedIn(world, person)
  const filled = { ...lawyerForm(person), third_name: 'سعد', sections: [101], license_no: { 101: '38/1' } }
  const { user } = await tawthiq.profile.update(asForm(filled))
  if (user.account_type !== 'lawyer') throw new Error('the person is a lawyer')
  const form = toForm(user)
  const again = await tawthiq.profile.update(form)
  t.same(again.user, user)

  const { user: cleared } = await tawthiq.profile.update({ ...form, third_name: null, sections: [], license_no: {} })
  t.match(cleared, { third_name: null, sections: [], license_no: {} })
  const { user: kept } = await tawthiq.profile.update({
    ...form,
    third_name: undefined,
    sections: undefined,
    license_no: undefined,
  })
  t.match(kept, { third_name: null, sections: [] })
})

void t.test('drops read-only fields, file links and fields without a value', (t) => {
  const user = {
    account_type: 'client',
    id: 1,
    name: 'سارة',
    profile_photo: '/api/v1/files/x',
    gender: null,
    phone_verified: true,
  }
  t.same(toForm(user as never), { account_type: 'client', name: 'سارة' })
  t.end()
})

void t.test('writes lists, maps and cleared fields as the service reads them', (t) => {
  const file = new File(['x'], 'cv.pdf')
  const form = toFormData({
    kept: undefined,
    none: null,
    text: '',
    zero: 0,
    no: false,
    list: [8, 40],
    emptyList: [],
    map: { 101: 'a' },
    emptyMap: {},
    file,
  })
  t.same(
    [...form].map(([name, value]) => [name, value instanceof File ? value.name : value]),
    [
      ['none', ''],
      ['text', ''],
      ['zero', '0'],
      ['no', 'false'],
      ['list', '8'],
      ['list', '40'],
      ['emptyList', ''],
      ['map[101]', 'a'],
      ['emptyMap', ''],
      ['file', 'cv.pdf'],
    ],
  )
  t.end()
})

/** Waits until the form and the options of its fields are read. */
async function ready(form: ProfileForm): Promise<void> {
  while (form.get().pending) await new Promise((resolve) => setTimeout(resolve, 10))
}

function fieldOf(form: ProfileForm, name: string): FormField | undefined {
  return form
    .get()
    .groups.flatMap(({ fields }) => fields)
    .find((field) => field.name === name)
}

void t.test('shows a stored file that applies, which can be replaced', async (t) => {
  const tawthiq = clientOf(await openWorld())
  const form = await tawthiq.operation('getProfileForm', undefined, { query: { account_type: 'lawyer' } })
  const stored = {
    type: 2,
    company_license_file: '/api/v1/files/x',
    company_name: 'Justice',
    company_licences_no: '77',
  }
  const licenceOf = (type: number): FormField | undefined =>
    describeForm(form, { values: { ...stored, type }, stored, lookups: new Map() })
      .flatMap(({ fields }) => fields)
      .find(({ name }) => name === 'company_license_file')
  t.match(licenceOf(2), { required: false, link: stored.company_license_file })
  t.notOk(licenceOf(1), 'an individual has no company')
  t.end()
})

void t.test('describes the profile form, and follows what is entered', async (t) => {
  const world = await openWorld()
  const tawthiq = await loggedIn(world, await world.person({ accountType: 'lawyer' }), { language: 'ar' })
  const form = profileForm(tawthiq)
  await ready(form)
  t.same(
    form.get().groups.map(({ name }) => name),
    ['account', 'identity', 'location', 'qualification', 'practice', 'company'],
  )
  t.match(fieldOf(form, 'first_name'), { label: 'الاسم الأول', kind: 'text', required: true, multiline: false })
  t.match(fieldOf(form, 'about'), { multiline: true, maxLength: 2000 })
  t.match(fieldOf(form, 'cv_file'), { kind: 'file', megabytes: 10, accept: /^application\/pdf,image\/jpeg/ })
  t.notOk(fieldOf(form, 'account_type'), 'nothing can be chosen')
  t.match(form.validate(), { degree: [{ code: 'required' }], about: [{ code: 'required' }] })
  form.set('degree', '1')
  t.notOk('degree' in form.validate(), 'a value that is valid')

  form.set('type', '1')
  t.notOk(fieldOf(form, 'company_name'))
  form.set('type', '2')
  t.match(fieldOf(form, 'company_name'), { required: true })
  t.match(fieldOf(form, 'company_license_file'), { required: true })

  form.set('country_id', '682')
  form.set('region_id', '1')
  while (fieldOf(form, 'city_id')?.options.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  form.set('city_id', '1')
  tawthiq.requests.length = 0
  form.set('region_id', '2')
  t.equal(fieldOf(form, 'city_id')?.value, undefined, 'the city of another region is cleared')
  for (const about of ['م', 'مح', 'محا']) form.set('about', about)
  while (fieldOf(form, 'city_id')?.options.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  t.same(tawthiq.requests, ['/api/v1/lookups/cities'], 'changes of other fields do not read the cities again')

  form.set('sections', [101, 102])
  t.same(
    fieldOf(form, 'license_no')?.options.map(({ value }) => value),
    [101, 102],
  )
  form.set('license_no.101', '38/1')
  form.set('license_no.102', '38/2')
  form.set('sections', [102])
  t.same(fieldOf(form, 'license_no')?.value, { 102: '38/2' })
})

void t.test('shows the options of a chosen parent before those of an earlier one have arrived', async (t) => {
  const world = await openWorld()
  const person = await world.person({ accountType: 'lawyer' })
  const failing = new AbortController()
  const slow: Fetch = async (url, init) => {
    if (url.includes('region_id=3')) await once(failing.signal, 'abort')
    return fetch(url, { ...init, ...(failing.signal.aborted && { signal: failing.signal }) })
  }
  const tawthiq = await loggedIn(world, person, { fetch: slow })
  const form = profileForm(tawthiq)
  await ready(form)
  form.set('country_id', '682')
  form.set('region_id', '3')
  form.set('region_id', '2')
  while (fieldOf(form, 'city_id')?.options.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  failing.abort()
  t.not(fieldOf(form, 'city_id')?.options.length, 0)
})

void t.test('saves a valid profile form, and sends no invalid one', async (t) => {
  const world = await openWorld()
  const tawthiq = await loggedIn(world, await world.person())
  const form = profileForm(tawthiq)
  await ready(form)
  const isUpdate = (path: string): boolean => path === '/api/v1/profile'
  form.set('name', ' ')
  tawthiq.requests.length = 0
  const rejected = await form.save().result()
  if (rejected.ok) throw new Error('the name has no visible character')
  t.match(rejected.error, { code: 'invalid_data', status: 0, fields: { name: [{ code: 'wrong_format' }] } })
  t.same(tawthiq.requests.filter(isUpdate), [])
  await t.rejects(form.save(), { name: 'TawthiqError', code: 'invalid_data' })

  form.set('name', 'سارة')
  form.set('profile_photo', new Blob(['x'.repeat(100)], { type: 'image/gif' }))
  const wrongFile = await form.save().result()
  t.match(wrongFile, { ok: false, error: { fields: { profile_photo: [{ code: 'file_type_not_allowed' }] } } })
  form.set('profile_photo', undefined)
  const { user } = await form.save()
  t.equal(user.name, 'سارة')
  t.equal(form.get().user?.name, 'سارة')
})

void t.test('clears a number, only where the form says so', async (t) => {
  const tawthiq = clientOf(await openWorld())
  const form = await tawthiq.operation('getProfileForm', undefined, { query: { account_type: 'client' } })
  const errorsOf = (isClearable: boolean, floor: unknown): boolean => {
    const field = { title: 'Floor', 'x-group': 'identity' as const, type: 'integer' as const, minimum: 1 }
    const properties = { ...form.properties, floor: { ...field, ...(isClearable && { 'x-clearable': true as const }) } }
    const errors = Object.entries<readonly unknown[]>(validateForm({ ...form, properties }, { floor }))
    return errors.some(([name]) => name === 'floor')
  }
  for (const empty of ['', null]) t.notOk(errorsOf(true, empty))
  t.ok(errorsOf(true, '0'))
  t.notOk(errorsOf(false, ''), 'it is absent')
  t.end()
})

void t.test('describes the fields of the profile forms', (t) => {
  t.match(FIELDS.client.name, { kind: 'text', required: true, maximum: 160 })
  t.match(FIELDS.lawyer, {
    languages: { kind: 'list', required: true },
    license_no: { kind: 'map', clearable: true },
    profile_photo: { kind: 'file', maximum: 5 },
    month: { kind: 'number', maximum: 12 },
  })
  t.end()
})
