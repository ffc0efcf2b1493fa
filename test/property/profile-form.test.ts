// The published profile forms accept and reject the same forms as the schemas that requests are validated with.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t from 'tap'
import { PROFILE_FORMS } from '../../generated/forms.ts'
import { readDocument } from '../../src/contract/document.ts'
import { newAjv } from '../../src/contract/validation/ajv.ts'
import { forRequests } from '../../src/contract/validation/schemas.ts'

const { components } = readDocument()
const RUNS = 1500

const EXAMPLES = {
  client: { account_type: 'client', name: 'سارة العتيبي' },
  lawyer: {
    account_type: 'lawyer',
    first_name: 'عبدالله',
    second_name: 'محمد',
    fourth_name: 'القحطاني',
    about: 'محامٍ.',
    national_id: '1012345672',
    identity_type: 1,
    day: 17,
    month: 5,
    year: 1988,
    degree: 1,
    general_specialty: 1,
    accurate_specialty: 102,
    functional_cases: 1,
    languages: [8, 40],
  },
} as const
const COMMON = {
  email: 'a@demo.test',
  phone: '0500000001',
  phone_code: '966',
  country_id: 682,
  region_id: 1,
  city_id: 1,
  nationality_id: 682,
  type: 1,
  gender: 'Male',
  longitude: 46.6,
  latitude: 24.7,
}

/** Values at and around the edges of the rules */
const EDGES: readonly unknown[] = [
  ...[
    '',
    ' ',
    'x',
    'سعد',
    'a@b.test',
    '493027',
    '٤٩٣٠٢٧',
    'Male',
    'lawyer',
    'x\u0001',
    'x\u0085',
    'x\ny',
    'x\ty',
    true,
  ],
  ...[[], [8], [8, 8], ['8'], [0], {}, { '101': '38/1' }, { x: '1' }, { '1': '' }, { '1': 'x\u0001' }],
  ...[4, 682, 1988, 2200, 2201, 2 ** 31, 1.5, 181, -90, 90.1],
]
const value = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.integer({ min: -2, max: 33 }),
  fc.integer({ min: 0, max: 300 }).map((length) => 'س'.repeat(length)),
)
/** Fields that conditions depend on, or that conditions require */
const CONDITIONAL = ['type', 'degree', 'sections', 'other_degree', 'license_no', 'company_name', 'company_licences_no']

/** Compiles the schema of the document as requests are validated with it. */
function serverValidator(name: string): ValidateFunction {
  const schema = JSON.parse(
    JSON.stringify({ ...components.schemas[name], components }).replaceAll('"#/components/', '"#/$defs/components/'),
  ) as { components: unknown }
  const { components: all, ...rest } = schema
  return newAjv().compile(forRequests({ ...rest, $defs: { components: all } }))
}

function publishedValidator(type: 'client' | 'lawyer'): ValidateFunction {
  const ajv = newAjv({ discriminator: false, strict: false })
  return ajv.compile(JSON.parse(JSON.stringify(PROFILE_FORMS[type].en), withoutFiles))
}

/** A file is the business of the client; the service sees uploads. */
function withoutFiles(_: string, value: unknown): unknown {
  const isFile = typeof value === 'object' && value !== null && 'x-file' in value
  return isFile ? { upload: true } : value
}

for (const type of ['client', 'lawyer'] as const) {
  const base: object = { ...COMMON, ...EXAMPLES[type] }
  const fields = Object.keys(PROFILE_FORMS[type].en.properties)
  const ownFields = CONDITIONAL.filter((name) => fields.includes(name))
  const change = fc.record({
    name: fc.oneof(fc.constantFrom(...fields), fc.constantFrom(...ownFields), fc.constant('unknown')),
    value: fc.option(value, { nil: undefined, freq: 8 }),
  })

  void t.test(`${type}: the published form agrees with the validation of requests`, (t) => {
    const server = serverValidator(type === 'client' ? 'ClientProfileForm' : 'LawyerProfileForm')
    const published = publishedValidator(type)
    t.ok(server(base) && published(base), 'the form that is changed is valid')
    for (const name of fields) {
      const disputed = EDGES.filter(
        (edge) => server({ ...base, [name]: edge }) !== published({ ...base, [name]: edge }),
      )
      t.same(disputed, [], name)
    }
    const verdicts = { valid: 0, invalid: 0 }
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = { ...base, ...Object.fromEntries(changes.map(({ name, value }) => [name, value])) }
        const form: unknown = JSON.parse(JSON.stringify(changed)) // undefined removes a field
        const isValid = server(form)
        verdicts[isValid ? 'valid' : 'invalid']++
        return published(form) === isValid
      }),
      { numRuns: RUNS },
    )
    t.ok(verdicts.valid > RUNS / 50 && verdicts.invalid > RUNS / 50, JSON.stringify(verdicts))
    t.end()
  })
}

void t.test('the published forms need no keyword beyond JSON Schema', (t) => {
  const ajv = new Ajv2020({ strict: false, formats: { email: true, password: true, binary: true } })
  for (const form of Object.values(PROFILE_FORMS).flatMap((forms) => Object.values(forms))) {
    t.ok(ajv.validateSchema(form))
    t.ok(Buffer.byteLength(JSON.stringify(form)) < 20_000)
    t.notMatch(JSON.stringify(form), /dependentSchemas|unevaluatedProperties|\$ref/)
  }
  t.end()
})
