// Every request parses its phone number once.
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
    context.phoneNumbers = { read: (code, phone) => (parsed++, phoneNumbers.read(code, phone)) }
    const { status } = await world.send(id)(request)
    context.phoneNumbers = phoneNumbers
    t.ok(statuses.includes(status), `${status}`)
    t.equal(parsed, status === 503 ? 0 : 1)
  })
}
