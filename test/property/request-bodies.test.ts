// Operations that validate the values of a body accept or reject any body without a server error, and rejections of
// fields name them.
import fc from 'fast-check'
import t from 'tap'
import type { Received } from '../support/service/responses.ts'
import { clientForm, lawyerForm, picture } from '../support/accounts/profile-forms.ts'
import { clientRegistration, lawyerRegistration } from '../support/accounts/registrations.ts'
import { anyText } from '../support/cases/any-text.ts'
import type { Form } from '../support/service/sender.ts'
import { openWorld } from '../support/service/world.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? (process.env['DATABASE_URL'] === undefined ? 30 : 60))

const unregistered = { email: 'nobody@example.org', phone: '0500000000' }
const lawyerForms = lawyerForm(unregistered, { sections: ['101'], 'license_no[101]': '1', 'license_no[x]': '2' })
const readOnly = { id: '1', phone_verified: 'true', review_status: 'approved', deletion_due_at: '' }
const samples: Form = { ...clientForm(unregistered), ...lawyerForms, ...readOnly, otp: '000000', password: 'password' }

const text = fc.oneof(anyText({ maxLength: 20 }), fc.constantFrom('', '[]', '{}', 'null', '[1,"x"]'))
const file = fc.constantFrom(picture(), new Blob(['x']), new Blob(['{"101":1}'], { type: 'application/json' }))
const link = fc.constant('/api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55')
const tag = fc.oneof(fc.constantFrom('client', 'lawyer', 'client', 'lawyer', 'zzz', ''), text)

/** The values of a form field: valid ones or any others, once or several times */
function valuesOf(name: string): fc.Arbitrary<(string | Blob)[]> {
  const right = [samples[name] ?? ''].flat()
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(right) },
    { weight: 2, arbitrary: fc.array(fc.oneof(text, file, link), { minLength: 1, maxLength: 3 }) },
  )
}

const known = fc.record(Object.fromEntries(Object.keys(samples).map((name) => [name, valuesOf(name)])), {
  requiredKeys: [],
})
const form: fc.Arbitrary<Form> = fc
  .tuple(known, fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), fc.oneof(text, file), { maxKeys: 3 }), tag)
  .map(([fields, others, account_type]) => ({ ...others, ...fields, account_type }))

const registration = { ...lawyerRegistration(), ...clientRegistration(), otp: '000000' }
const json: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.record(
          Object.fromEntries(
            Object.entries(registration).map(([name, right]) => [name, fc.oneof(fc.constant(right), fc.jsonValue())]),
          ),
          { requiredKeys: [] },
        ),
        fc.oneof(tag, fc.jsonValue()),
      )
      .map(([fields, account_type]) => ({ ...fields, account_type })),
  },
)

/** Returns why a response is not allowed for such a body; undefined if it is. */
function faultOf({ status, body }: Received): string | undefined {
  if (status >= 500) return `is ${status}`
  const isNamed = status !== 422 || Object.keys(body.data?.codes as object).length > 0
  return isNamed ? undefined : 'names no field'
}

void t.test('register never fails with 500 for any JSON', async (t) => {
  const world = await openWorld()
  const send = world.send('register')
  const property = fc.asyncProperty(json, async (body) => {
    t.equal(faultOf(await send({ json: body })), undefined)
  })
  await fc.assert(property, { numRuns: RUNS })
})

void t.test('register never fails with 500 for any form', async (t) => {
  const world = await openWorld()
  const send = world.send('register')
  const property = fc.asyncProperty(form, async (fields) => {
    t.equal(faultOf(await send({ form: fields })), undefined)
  })
  await fc.assert(property, { numRuns: RUNS })
})

for (const accountType of ['client', 'lawyer'] as const) {
  void t.test(`updateProfile never fails with 500 for any form of a ${accountType}`, async (t) => {
    const world = await openWorld()
    const send = world.send('updateProfile')
    const token = await (await world.person({ accountType })).token()
    const property = fc.asyncProperty(form, async (fields) => {
      t.equal(faultOf(await send({ form: fields, token })), undefined)
    })
    await fc.assert(property, { numRuns: RUNS })
  })
}
