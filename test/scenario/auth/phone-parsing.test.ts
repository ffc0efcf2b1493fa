// Phone numbers of requests: each is parsed once, and rejected with all other invalid fields.
import t from 'tap'
import type { OperationId } from '../../../src/contract/operation.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration, NEW_PASSWORD, saudiNumber } from '../../support/accounts/registrations.ts'
import type { Sent } from '../../support/service/sender.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const number = { phone_code: '966', phone: '0551234567' }

const requests: readonly [id: OperationId, statuses: readonly number[], request: (world: World) => Promise<Sent>][] = [
  ['register', [201], async (world) => ({ json: clientRegistration(await saudiNumber(world)) })],
  ['checkPhone', [200], async () => ({ json: number })],
  ['confirmPhone', [400], async () => ({ json: { ...number, otp: '123456' } })],
  ['requestPasswordReset', [200, 202, 503], async () => ({ json: { by: 'phone', ...number } })],
  [
    'resetPassword',
    [422, 503],
    async () => ({ json: { by: 'phone', ...number, otp: '123456', password: NEW_PASSWORD } }),
  ],
  [
    'updateProfile',
    [200],
    async (world) => {
      const person = await world.person()
      return { token: await person.token(), form: clientForm(person, { email: `new-${person.email}` }) }
    },
  ],
]

for (const [id, statuses, newRequest] of requests) {
  void t.test(`parses the phone number of ${id} once`, async (t) => {
    const world = await openWorld()
    const { context } = world.service.app
    const request = await newRequest(world)
    const { phoneNumbers } = context
    let parsed = 0
    context.phoneNumbers = { ...phoneNumbers, read: (code, phone) => (parsed++, phoneNumbers.read(code, phone)) }
    const { status } = await world.send(id)(request)
    context.phoneNumbers = phoneNumbers
    t.ok(statuses.includes(status), `${status}`)
    t.equal(parsed, status === 503 ? 0 : 1)
  })
}

const NUMBERS = {
  'an unknown calling code': [{ phone_code: '999', phone: '0551234567' }, { phone_code: ['phone_code_unknown'] }],
  'an unknown calling code of a malformed number': [
    { phone_code: '999', phone: 'abc' },
    { phone_code: ['phone_code_unknown'], phone: ['wrong_format'] },
  ],
  'a landline': [{ phone_code: '966', phone: '0112345678' }, { phone: ['phone_not_mobile'] }],
} as const

/** Operations with a phone number, another invalid field, and its code */
const FORMS: readonly [OperationId, fields: object, codes: object][] = [
  ['confirmPhone', { otp: '12' }, { otp: ['too_short'] }],
  ['checkPhone', { channel: 'fax' }, { channel: ['not_allowed'] }],
  ['requestPasswordReset', { by: 'phone', challenge_response: 1 }, { challenge_response: ['wrong_type'] }],
  ['resetPassword', { by: 'phone', otp: '12', password: NEW_PASSWORD }, { otp: ['too_short'] }],
  ['undoChanges', { by: 'phone', otp: 12 }, { otp: ['wrong_type'] }],
  ['register', { email: 'x' }, { email: ['wrong_format'] }],
]

for (const [id, others, codes] of FORMS) {
  for (const [title, [number, expected]] of Object.entries(NUMBERS)) {
    void t.test(`${id} names every invalid field besides ${title}`, async (t) => {
      const world = await openWorld()
      const { status, body } = await world.send(id)({ json: { ...number, ...others } })
      t.equal(status, 422)
      t.match((body.data as { codes: object }).codes, { ...expected, ...codes })
    })
  }
}

void t.test('resetPassword names a common password besides a number that is not mobile', async (t) => {
  const world = await openWorld()
  const [number, codes] = NUMBERS['a landline']
  const { body } = await world.send('resetPassword')({
    json: { by: 'phone', ...number, otp: '123456', password: 'password1' },
  })
  t.match((body.data as { codes: object }).codes, { ...codes, password: ['password_common'] })
})

void t.test('webhooks with members of these names have no phone number', async (t) => {
  const world = await openWorld()
  const { origin } = world.service
  const requests = [
    ['/api/v1/webhooks/sms/X', 'application/json', '{"phone_code":1,"phone":null}'],
    ['/api/v1/webhooks/sms/X', 'application/json', '{"phone_code":"999"}'],
    ['/api/v1/webhooks/voice/twilio', 'application/x-www-form-urlencoded', 'phone_code=1&phone_code=2'],
  ] as const
  for (const [path, type, body] of requests) {
    const response = await fetch(origin + path, { method: 'POST', headers: { 'content-type': type }, body })
    t.ok(response.status < 500, `${response.status} ${body}`)
    t.notMatch(await response.text(), 'phone_code')
  }
})
