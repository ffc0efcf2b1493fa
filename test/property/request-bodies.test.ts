// Whatever comes as a body, the operations that check further answer it: no body is a server error, and each refusal of
// fields names them.
import fc from 'fast-check'
import t from 'tap'
import type { Received } from '../support/answers.ts'
import { clientForm, lawyerForm, picture } from '../support/profile-forms.ts'
import { clientRegistration, lawyerRegistration } from '../support/registrations.ts'
import type { Form } from '../support/sender.ts'
import { openWorld } from '../support/world.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60)

const nobody = { email: 'nobody@example.org', phone: '0500000000' }
const lawyerForms = lawyerForm(nobody, { sections: ['101'], 'license_no[101]': '1', 'license_no[x]': '2' })
const readOnly = { id: '1', phone_verified: 'true', review_status: 'approved', deletion_due_at: '' }
const samples: Form = { ...clientForm(nobody), ...lawyerForms, ...readOnly, otp: '000000', password: 'password' }

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('', '[]', '{}', 'null', '[1,"x"]'))
const file = fc.constantFrom(picture(), new Blob(['x']), new Blob(['{"101":1}'], { type: 'application/json' }))
const link = fc.constant('/api/v1/files/0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55')
const tag = fc.oneof(fc.constantFrom('client', 'lawyer', 'client', 'lawyer', 'zzz', ''), text)

/** What a field of a form may hold: what belongs there, or anything else, once or several times. */
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

/** Why an answer is not one that such a body may have; undefined where it is. */
function faultOf({ status, body }: Received): string | undefined {
  if (status >= 500) return `is ${status}`
  const isNamed = status !== 422 || Object.keys(body.data?.codes as object).length > 0
  return isNamed ? undefined : 'names no field'
}

void t.test('no JSON makes register fail', async (t) => {
  const world = await openWorld()
  const send = world.send('register')
  const property = fc.asyncProperty(json, async (body) => {
    t.equal(faultOf(await send({ json: body })), undefined)
  })
  await fc.assert(property, { numRuns: RUNS })
})

void t.test('no form makes register fail', async (t) => {
  const world = await openWorld()
  const send = world.send('register')
  const property = fc.asyncProperty(form, async (fields) => {
    t.equal(faultOf(await send({ form: fields })), undefined)
  })
  await fc.assert(property, { numRuns: RUNS })
})

for (const accountType of ['client', 'lawyer'] as const) {
  void t.test(`no form makes the update of a ${accountType} fail`, async (t) => {
    const world = await openWorld()
    const send = world.send('updateProfile')
    const token = await (await world.person({ accountType })).token()
    const property = fc.asyncProperty(form, async (fields) => {
      t.equal(faultOf(await send({ form: fields, token })), undefined)
    })
    await fc.assert(property, { numRuns: RUNS })
  })
}
