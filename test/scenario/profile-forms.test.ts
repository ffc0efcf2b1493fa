// The server, `validateForm` of the SDK and a JSON Schema validator judge drawn forms alike. FORMS sets the number of forms, SEED
// what is drawn: `FORMS=2000 npm test -- profile-forms`.
import { validateForm, type FormSchema, type LookupItem, type Lookups } from '@tawthiq/sdk/forms'
import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { changeForm, drawChanges } from '../support/forms/drawn-forms.ts'
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

const OF_LOOKUPS = ['unknown_id', 'wrong_parent']
const NOT_OFFERED = ['unknown_id', 'inactive_id']
/** All ids that a drawn form may have */
const PARENTS = [...Array.from({ length: 1000 }, (_, id) => id), 2 ** 31 - 1]

type Verdict = ReadonlySet<string>
type Codes = Record<string, string[]>
/** The codes and messages of a response; empty if the form was accepted */
type Errors = { codes?: Codes; errors?: Codes }

async function publishedForm(world: World, type: AccountType): Promise<FormSchema> {
  const { body } = await world.send('getProfileForm')({ query: { account_type: type } })
  const form: unknown = body.data
  return form as FormSchema // as the document describes it
}

/** Reads the lookups of a form at the URLs that it states, with those of each parent that a form may have. */
async function readLookups(world: World, forms: readonly FormSchema[]): Promise<Lookups> {
  const fields = forms.flatMap(({ properties }) =>
    Object.values(properties).flatMap((field) => field['x-lookup'] ?? []),
  )
  const lookups = new Map<string, LookupItem[]>()
  for (const { set, url, query } of fields) {
    const response = await fetch(world.service.origin + url)
    const { items } = ((await response.json()) as { data: { items: (LookupItem & Record<string, unknown>)[] } }).data
    if (query === undefined) lookups.set(set, items)
    for (const parent of query === undefined ? [] : PARENTS)
      lookups.set(
        `${set}?${query}=${parent}`,
        items.filter(({ [query ?? '']: of }) => of === parent),
      )
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

/** Returns values with files as a page has them. */
function asFiles(values: FormValues): FormValues {
  const entries = Object.entries(values).map(([name, value]) => {
    if (!isFileValue(value)) return [name, value] as const
    return [name, new Blob([new Uint8Array(value.bytes)], { type: value.type })] as const
  })
  return Object.fromEntries(entries)
}

/** What a client says of a form, or what it should say: the codes and messages by path */
type Found = Record<string, { code: string; text: string }[]>

/** Returns the errors that a client can know. */
function knownToClients(form: FormSchema, { codes = {}, errors = {} }: Errors): Found {
  const found = Object.entries(codes).flatMap(([path, all]) => {
    const known = all.flatMap((code, index) =>
      SERVER_ONLY.includes(code) ? [] : [{ code, text: errors[path]?.[index] ?? '' }],
    )
    return known.length > 0 ? [[path, known] as const] : []
  })
  return sorted(Object.fromEntries(found), form, codes)
}

/**
 * Clients do not tell ids of another parent, and those that are no longer offered, from those that do not exist, and the options
 * of a field are unknown while its parent is wrong.
 */
function sorted(found: Found, { properties, 'x-messages': messages }: FormSchema, codes: Codes): Found {
  const entries = Object.entries(found).flatMap(([path, all]) => {
    const { parent } = properties[path]?.['x-lookup'] ?? {}
    const isChild = parent !== undefined
    const judged = isChild && parent in codes ? all.filter(({ code }) => !OF_LOOKUPS.includes(code)) : all
    const unknown = isChild ? 'wrong_parent' : 'unknown_id'
    const known = judged.map(({ code, text }) =>
      NOT_OFFERED.includes(code) ? { code: unknown, text: messages[unknown] ?? '' } : { code, text },
    )
    return known.length > 0 ? [[path, known.sort((a, b) => (a.code < b.code ? -1 : 1))] as const] : []
  })
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the fields with a code that a judge can know. */
function knowable(codes: Codes, isKnowable: (path: string, code: string) => boolean): Verdict {
  const entries = Object.entries(codes).filter(([path, all]) => all.some((code) => isKnowable(path, code)))
  return new Set(entries.map(([path]) => path.split('.')[0] ?? ''))
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
  forms: Record<AccountType, FormSchema>
  lookups: Lookups
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
  errors: Errors,
): { expected: object; found: object } {
  const { codes = {} } = errors
  const given = drawn['account_type']
  const selected = TYPES.find((each) => each === given)
  const form = forms[selected ?? type]
  const values = asRead(drawn, form.properties)
  // without a valid account type, the service does not know the form either
  const shown = (verdict: Verdict): unknown => (selected ? [...verdict].sort() : verdict.size > 0)
  const judged = validateForm(form, asFiles(drawn), { lookups }) as Found
  const known = knownToClients(form, errors)
  return {
    expected: {
      client: selected ? known : Object.keys(known).length > 0,
      schema: shown(knowable(codes, isKnownToSchemas(values))),
    },
    found: {
      client: selected ? sorted(judged, form, codes) : Object.keys(judged).length > 0,
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
      const errors = (status === 422 ? body.data : {}) as Errors
      const { expected, found } = compare(judges, type, drawn, errors)
      t.same(found, expected, `${changes.map(({ field }) => field).join(', ')}: ${JSON.stringify(errors.codes)}`)
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
