// The server, a client that knows only the published form, and a JSON Schema validator judge drawn forms alike. FORMS sets the
// number of forms, SEED what is drawn: `FORMS=2000 npm test -- profile-forms`.
import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { changeForm, drawChanges } from '../support/forms/drawn-forms.ts'
import { rejectedFields, type LookupItem, type PublishedForm } from '../support/forms/form-validator.ts'
import { asRead, encodeForm, isFileValue, type FormValues } from '../support/forms/form-values.ts'
import { PNG } from '../support/accounts/profile-forms.ts'
import { openWorld, type Person, type World } from '../support/service/world.ts'

const COUNT = Number(process.env['FORMS'] ?? 300)
const SEED = Number(process.env['SEED'] ?? 20_261_125)
const TYPES = ['client', 'lawyer'] as const
type AccountType = (typeof TYPES)[number]

/** Only the service knows other accounts, the numbering plans, the strength of a password, and the codes that it sent. */
const SERVER_ONLY = [
  ...['email_taken', 'phone_taken', 'phone_invalid', 'phone_not_mobile', 'phone_code_unknown', 'phone_code_mismatch'],
  ...['otp_wrong', 'password_common', 'password_guessable', 'password_is_email'],
]
/** JSON Schema has no words for the ids of lookups, the date of today and the content of files. */
const BEYOND_SCHEMA = [
  ...['unknown_id', 'inactive_id', 'wrong_parent', 'age_not_allowed'],
  ...['file_type_not_allowed', 'file_too_large', 'file_unreadable'],
]
/** Nor for files that are required unless they are stored */
const FILES_UNLESS_STORED = ['national_id_image', 'degree_certificate', 'company_license_file']

type Verdict = ReadonlySet<string>
type Codes = Record<string, string[]>

async function publishedForm(world: World, type: AccountType): Promise<PublishedForm> {
  const { body } = await world.send('getProfileForm')({ query: { account_type: type } })
  const form: unknown = body.data
  return form as PublishedForm // as the document describes it
}

/** Reads the lookups of a form at the URLs that it states. */
async function readLookups(world: World, forms: readonly PublishedForm[]): Promise<Map<string, LookupItem[]>> {
  const urls = forms.flatMap(({ properties }) =>
    Object.values(properties).flatMap((field) => field['x-lookup']?.url ?? []),
  )
  const lookups = new Map<string, LookupItem[]>()
  for (const url of new Set(urls)) {
    const response = await fetch(world.service.origin + url)
    lookups.set(url, ((await response.json()) as { data: { items: LookupItem[] } }).data.items)
  }
  return lookups
}

async function documentValidators(): Promise<Record<AccountType, ValidateFunction>> {
  const document = JSON.parse(await readFile('generated/openapi.json', 'utf8')) as object
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('binary', true).addFormat('password', true)
  ajv.addSchema(document, 'document')
  const validator = (name: string): ValidateFunction => ajv.compile({ $ref: `document#/components/schemas/${name}` })
  return { client: validator('ClientProfileForm'), lawyer: validator('LawyerProfileForm') }
}

/** A binary string stands for a file. */
function schemaVerdict(validate: ValidateFunction, values: FormValues): Verdict {
  const entries = Object.entries(values).map(([name, value]) => [name, isFileValue(value) ? 'a file' : value] as const)
  const errors = validate(Object.fromEntries(entries)) ? [] : (validate.errors ?? [])
  return new Set(errors.map(fieldOf).filter((field) => field !== ''))
}

function fieldOf({ instancePath, keyword, params, propertyName }: ErrorObject): string {
  const [, field = ''] = instancePath.split('/')
  const { missingProperty } = params as { missingProperty?: string }
  return field || (keyword === 'required' ? (missingProperty ?? '') : (propertyName ?? ''))
}

/** Returns the fields with a code that a judge can know. */
function knowable(codes: Codes, isKnowable: (path: string, code: string) => boolean): Verdict {
  const entries = Object.entries(codes).filter(([path, all]) => all.some((code) => isKnowable(path, code)))
  return new Set(entries.map(([path]) => path.split('.')[0] ?? ''))
}

function isKnownToClients(_: string, code: string): boolean {
  return !SERVER_ONLY.includes(code)
}

/** Whether JSON Schema has words for a failure. It has none for the keys of a map that another field lists. */
function isKnownToSchemas({ license_no: licences = {} }: FormValues): (path: string, code: string) => boolean {
  return (path, code) => {
    if (SERVER_ONLY.includes(code) || BEYOND_SCHEMA.includes(code)) return false
    if (code === 'required' && FILES_UNLESS_STORED.includes(path)) return false
    const [field, key = ''] = path.split('.')
    const isOtherKey = code === 'unknown_field' || !Object.hasOwn(licences as object, key)
    return !(field === 'license_no' && key !== '' && isOtherKey)
  }
}

type Judges = Readonly<{
  forms: Record<AccountType, PublishedForm>
  lookups: ReadonlyMap<string, readonly LookupItem[]>
  validators: Record<AccountType, ValidateFunction>
}>

async function openJudges(world: World): Promise<Judges> {
  const forms = { client: await publishedForm(world, 'client'), lawyer: await publishedForm(world, 'lawyer') }
  const lookups = await readLookups(world, Object.values(forms))
  return { forms, lookups, validators: await documentValidators() }
}

/** Returns the fields that a client and a schema reject, and those that the service rejects as far as they can know. */
function compare(
  { forms, lookups, validators }: Judges,
  type: AccountType,
  drawn: FormValues,
  codes: Codes,
): { expected: object; found: object } {
  const given = drawn['account_type']
  const selected = TYPES.find((each) => each === given)
  const form = forms[selected ?? type]
  const values = asRead(drawn, form.properties)
  // without a valid account type, the service does not know the form either
  const shown = (verdict: Verdict): unknown => (selected ? [...verdict].sort() : verdict.size > 0)
  return {
    expected: {
      client: shown(knowable(codes, isKnownToClients)),
      schema: shown(knowable(codes, isKnownToSchemas(values))),
    },
    found: {
      client: shown(rejectedFields(form, values, lookups, new Date())),
      schema: shown(schemaVerdict(validators[selected ?? type], values)),
    },
  }
}

for (const type of TYPES) {
  void t.test(`${type}: the published form and the document agree with the service`, async (t) => {
    const world = await openWorld()
    const judges = await openJudges(world)
    const update = world.send('updateProfile')
    const counts = { accepted: 0, rejected: 0 }
    let person = await world.person()
    let token = await person.token()
    for (const changes of drawChanges(Object.keys(judges.forms[type].properties), SEED, COUNT / TYPES.length)) {
      const drawn = changeForm(usualForm(type, person), changes)
      const { status, body } = await update({ token, form: encodeForm(drawn) })
      const codes = (body.data?.codes ?? {}) as Codes
      const { expected, found } = compare(judges, type, drawn, codes)
      t.same(found, expected, `${changes.map(({ field }) => field).join(', ')}: ${JSON.stringify(codes)}`)
      counts[status === 200 ? 'accepted' : 'rejected']++
      if (status === 422) continue
      person = await world.person() // an accepted form has stored files
      token = await person.token()
    }
    t.ok(counts.accepted > COUNT / 20 && counts.rejected > COUNT / 8, JSON.stringify(counts))
  })
}

/** A form of an account that has nothing stored but its address and number */
function usualForm(type: AccountType, { email, phone }: Person): FormValues {
  const file = { type: 'image/png', bytes: Buffer.from(PNG, 'base64') }
  const common = {
    account_type: type,
    email,
    phone,
    phone_code: '966',
    country_id: 682,
    region_id: 1,
    city_id: 1,
    nationality_id: 682,
    type: 1,
    gender: 'Female',
    longitude: 46.6753,
    latitude: 24.7136,
  }
  if (type === 'client') return { ...common, name: 'سارة العتيبي' }
  return {
    ...common,
    first_name: 'عبدالله',
    second_name: 'محمد',
    fourth_name: 'القحطاني',
    about: 'محامٍ.',
    national_id: '1012345672',
    identity_type: 1,
    national_id_image: file,
    day: 17,
    month: 5,
    year: 1988,
    degree: 1,
    degree_certificate: file,
    general_specialty: 1,
    accurate_specialty: 102,
    functional_cases: 1,
    languages: [8, 40],
  }
}
