import { enumerationsIn } from '../../src/messages/enumerations.ts'
import type { Language } from '../../src/messages/index.ts'
import { listConditions } from './form-conditions.ts'
import { FIELD_ENUMERATIONS, FIELD_LABELS, FIELD_LOOKUPS, GROUP_TITLES, type FieldLabel } from './form-labels.ts'
import { messagesOf } from './form-messages.ts'
import type { Sources } from './document/document.ts'
import { isObject, resolveSchema, type Document, type Node } from './document/openapi.ts'

const FORMS = { client: 'ClientProfileForm', lawyer: 'LawyerProfileForm' } as const
const UNION = 'UpdateProfileRequest'
/** The fields of the date of birth */
const BIRTH_DATE = { day: 'day', month: 'month', year: 'year' }
const LABELS = 'scripts/generate/form-labels.ts'
/** The keywords of JSON Schema that are published as they are */
const KEYWORDS = [
  ...['type', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
  ...['minItems', 'maxItems', 'uniqueItems', 'maxProperties'],
]
/** The formats of inputs in browsers. Other formats only state how clients store a number. */
const FORMATS: Readonly<Record<string, string>> = { 'idn-email': 'email', password: 'password', binary: 'binary' }
/** Whether a file is required. The service adds the degrees that need a certificate, which the lookups state. */
const FILE_RULES: Readonly<Record<string, object>> = {
  national_id_image: { required: 'unless_stored', proves: ['identity_type', 'national_id'] },
  degree_certificate: { required: 'unless_stored', proves: ['degree'], if: { field: 'degree', values: [] } },
  company_license_file: {
    required: 'unless_stored',
    proves: ['type', 'company_licences_no'],
    if: { field: 'type', values: [2, 3] },
  },
}

/** Returns the profile forms by account type and language, from the schemas that requests are validated with. */
export function buildForms(sources: Pick<Sources, 'document' | 'limits'>): Record<string, Record<Language, Node>> {
  const form = (name: string, language: Language): Node => buildForm(sources, name, language)
  return Object.fromEntries(
    Object.entries(FORMS).map(([type, name]) => [type, { ar: form(name, 'ar'), en: form(name, 'en') }]),
  )
}

function buildForm({ document, limits }: Pick<Sources, 'document' | 'limits'>, name: string, language: Language): Node {
  const schema = document.components.schemas[name] as Node
  const { properties = {}, required = [] } = schema
  const fields = properties as Record<string, Node>
  const unnamed = Object.keys(fields).filter((field) => !(field in FIELD_LABELS))
  if (unnamed.length > 0) throw new Error(`${LABELS}: add a label to FIELD_LABELS for ${unnamed.join(', ')} of ${name}`)
  const entries = Object.entries(FIELD_LABELS).flatMap(([field, label]) => {
    const schema = fields[field]
    return schema ? [[field, buildField(document, { field, schema, label, language })] as const] : []
  })
  const conditions = listConditions(schema)
  const { 'x-tawthiq-ignored-fields': ignoredFields = [] } = document.components.schemas[UNION] ?? {}
  const { age = {} } = limits as { age?: Node }
  const form = {
    type: 'object',
    required,
    properties: Object.fromEntries(entries),
    additionalProperties: false,
    ...(conditions.length > 0 && { allOf: conditions }),
    'x-groups': groupsOf(
      entries.map(([, field]) => field),
      language,
    ),
    'x-ignored-fields': ignoredFields.filter((field) => !(field in fields)),
    ...('year' in fields && {
      'x-birth-date': { ...BIRTH_DATE, years_min: age['years_min'], years_max: age['years_max'] },
    }),
  }
  return { ...form, 'x-messages': messagesOf(form, language) }
}

type Field = { field: string; schema: Node; label: FieldLabel; language: Language }

function buildField(document: Document, { field, schema: given, label, language }: Field): Node {
  const schema = resolveSchema(document, given)
  const { propertyNames, additionalProperties, items } = schema
  return {
    title: label.title[language],
    ...(label.hint && { description: label.hint[language] }),
    'x-group': label.group,
    ...rulesOf(schema),
    ...valuesOf(field, schema, language),
    ...(isObject(items) && { items: rulesOf(resolveSchema(document, items)) }),
    ...(isObject(propertyNames) && { propertyNames }),
    ...(isObject(additionalProperties) && {
      additionalProperties: { ...rulesOf(additionalProperties), ...visibility(additionalProperties) },
    }),
    ...lookupOf(document, field),
    ...(field === 'license_no' && { 'x-keys': 'sections' }),
    ...(schema['format'] === 'binary' && { 'x-file': fileRule(document, field, schema) }),
    ...visibility(schema),
    ...(extension(schema, 'clearable') === true && { 'x-clearable': true }),
  }
}

/** Returns the groups of the fields with their titles, in the order of the form. */
function groupsOf(fields: readonly Node[], language: Language): Node[] {
  return Object.entries(GROUP_TITLES)
    .filter(([group]) => fields.some((field) => field['x-group'] === group))
    .map(([name, title]) => ({ name, title: title[language] }))
}

function rulesOf(schema: Node): Node {
  const kept = Object.entries(schema).filter(([keyword]) => KEYWORDS.includes(keyword))
  const format = FORMATS[String(schema['format'])]
  return { ...Object.fromEntries(kept), ...(format !== undefined && { format }) }
}

function visibility(schema: Node): Node {
  return extension(schema, 'visible') === true ? { 'x-visible': true } : {}
}

/** Returns the only value of a field, or the names of its values. */
function valuesOf(field: string, { enum: values }: Node, language: Language): Node {
  if (!Array.isArray(values)) return {}
  if (values.length === 1) return { const: values[0] as unknown }
  const set = FIELD_ENUMERATIONS[field]
  if (!set) throw new Error(`${LABELS}: add ${field} to FIELD_ENUMERATIONS, which name its values`)
  const names = enumerationsIn(language)[set]
  return {
    oneOf: values.map((value: unknown) => {
      const named = names.find((each) => each.value === value)
      if (!named) throw new Error(`the value ${String(value)} of ${field} has no name`)
      return { const: value, title: named.name }
    }),
  }
}

/** Returns the lookup of a field with its URL, after comparing it with the operation that returns it. */
function lookupOf(document: Document, field: string): { 'x-lookup'?: object } {
  const lookup = FIELD_LOOKUPS[field]
  if (!lookup) return {}
  const url = `/api/v1/lookups/${lookup.set}`
  const parameters = document.paths[url]?.get?.parameters
  if (!parameters) throw new Error(`the lookup of ${field} is not an operation: ${url}`)
  const names = parameters.map((parameter) => parameterName(document, parameter))
  if (lookup.query !== undefined && !names.includes(lookup.query))
    throw new Error(`${url} has no parameter ${lookup.query}, which the lookup of ${field} needs`)
  return { 'x-lookup': { ...lookup, url } }
}

function parameterName({ components }: Document, parameter: unknown): unknown {
  const { $ref, name } = parameter as { $ref?: string; name?: string }
  if ($ref === undefined) return name
  return (components.parameters[$ref.split('/').at(-1) ?? ''] as { name?: string } | undefined)?.name
}

function fileRule(document: Document, field: string, schema: Node): Node {
  const { content } = document.paths['/api/v1/profile']?.put?.requestBody ?? {}
  const form = content?.['multipart/form-data'] as { encoding?: Record<string, { contentType: string }> } | undefined
  const accepted = form?.encoding?.[field]?.contentType
  if (accepted === undefined) throw new Error(`updateProfile does not state the content types of ${field}`)
  return {
    accept: accepted.split(',').map((type) => type.trim()),
    megabytes: extension(schema, 'megabytes-max'),
    ...(FILE_RULES[field] ?? { required: 'never' }),
  }
}

function extension(schema: Node, name: string): unknown {
  return schema[`x-tawthiq-${name}`] ?? schema[`x-${name}`]
}
