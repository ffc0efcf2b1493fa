// Forms of the SDK.
import { toFormData } from '@tawthiq/sdk'
import { FIELDS, toForm } from '@tawthiq/sdk/forms'
import t from 'tap'
import { lawyerForm } from '../support/accounts/profile-forms.ts'
import { asForm, loggedIn } from '../support/sdk/clients.ts'
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
