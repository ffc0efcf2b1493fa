import { enumerationsIn } from '../../src/messages/enumerations.ts'
import { say, type Language, type MessageKey } from '../../src/messages/index.ts'
import { FIELD_ENUMERATIONS, FIELD_LABELS, FIELD_LOOKUPS, GROUP_TITLES, type FieldLabel } from './form-labels.ts'
import type { Sources } from './document/document.ts'
import {
  filterMembers,
  isObject,
  mapMembers,
  parametersOf,
  resolveSchema,
  typesOf,
  type Document,
  type Node,
} from './document/openapi.ts'

const FORMS = { client: 'ClientProfileForm', lawyer: 'LawyerProfileForm' } as const
const UNION = 'UpdateProfileRequest'
const BIRTH_DATE = { day: 'day', month: 'month', year: 'year' }
const LABELS = 'scripts/generate/form-labels.ts'
/** The keywords of JSON Schema that are published as they are */
const KEYWORDS = [
  ...['type', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
  ...['minItems', 'maxItems', 'uniqueItems', 'maxProperties'],
]
/** The formats of inputs in browsers. Other formats only state how clients store a number. */
const FORMATS: Readonly<Record<string, string>> = { 'idn-email': 'email', password: 'password', binary: 'binary' }
/** The field codes that a client can find with a form alone, beside those of limits. */
const CODES = [
  ...['required', 'unknown_field', 'wrong_type', 'wrong_format', 'not_allowed'],
  ...['repeated', 'unknown_id', 'wrong_parent', 'file_type_not_allowed'],
] as MessageKey[]
const LIMIT_CODES: Readonly<Record<string, MessageKey>> = {
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  maximum: 'too_large',
  minItems: 'too_few',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  megabytes: 'file_too_large',
}

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
  return mapMembers(FORMS, (name) => ({ ar: buildForm(sources, name, 'ar'), en: buildForm(sources, name, 'en') }))
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

function groupsOf(fields: readonly Node[], language: Language): Node[] {
  return Object.entries(GROUP_TITLES)
    .filter(([group]) => fields.some((field) => field['x-group'] === group))
    .map(([name, title]) => ({ name, title: title[language] }))
}

function rulesOf(schema: Node): Node {
  const kept = filterMembers(schema, (keyword) => KEYWORDS.includes(keyword))
  const [type] = typesOf(kept) // `x-clearable` says that a number can be null
  const format = FORMATS[String(schema['format'])]
  return { ...kept, ...(type !== undefined && { type }), ...(format !== undefined && { format }) }
}

function visibility(schema: Node): Node {
  return extension(schema, 'visible') === true ? { 'x-visible': true } : {}
}

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
  const operation = document.paths[url]?.get
  if (!operation?.parameters) throw new Error(`the lookup of ${field} is not an operation: ${url}`)
  const names = parametersOf(document, operation).map(({ name }) => name)
  if (lookup.query !== undefined && !names.includes(lookup.query))
    throw new Error(`${url} has no parameter ${lookup.query}, which the lookup of ${field} needs`)
  return { 'x-lookup': { ...lookup, url } }
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

/** Returns the `dependentSchemas` of a form as conditions that stand side by side, because JSON Forms ignores that keyword. */
function listConditions({ dependentSchemas = {} }: Node): Node[] {
  return Object.entries(dependentSchemas as Record<string, Node>).flatMap(([field, rule]) => conditionsOf(field, rule))
}

/** A condition within another one is published alone, if it implies the outer one. */
function conditionsOf(field: string, rule: Node, outer?: readonly unknown[]): Node[] {
  if (Array.isArray(rule['allOf'])) return (rule['allOf'] as Node[]).flatMap((each) => conditionsOf(field, each))
  const test = rule['if'] as { properties: Record<string, Node> }
  const then = rule['then'] as Node
  const values = test.properties[field]?.['enum'] as unknown[] | undefined
  if (outer && !values?.every((value) => outer.includes(value)))
    throw new Error(`a condition of ${field} does not imply the one around it`)
  const { required = [], properties = {} } = then
  const condition = {
    if: { required: Object.keys(test.properties), properties: test.properties },
    then: { required, properties: withoutEmpty(properties as Record<string, Node>) },
  }
  return [condition, ...(then['if'] ? conditionsOf(field, then, values ?? []) : [])]
}

/** Drops empty rules, and the extensions of the others, except for the field code. */
function withoutEmpty(properties: Record<string, Node>): Node {
  return filterMembers(mapMembers(properties, published), (_, rule) => Object.keys(rule).length > 0)
}

function published(rule: Node): Node {
  if (!isObject(rule)) return rule
  const code = rule['x-tawthiq-field-code']
  const keywords = filterMembers(rule, (name) => !name.startsWith('x-'))
  return { ...keywords, ...(code !== undefined && { 'x-code': code }) }
}

/** Returns the messages of the field codes that a form can lead to. Codes with a limit are followed by it. */
function messagesOf(form: Node, language: Language): Record<string, string> {
  const { 'x-birth-date': date } = form as { 'x-birth-date'?: { years_min: number; years_max: number } }
  const conditional = (form['allOf'] as Node[] | undefined)?.map((condition) => condition['then']) ?? []
  const rules = [...listRules(form['properties']), ...listRules(conditional)]
  const codes = new Set([...CODES, ...rules.flatMap((rule) => (rule['x-code'] as MessageKey | undefined) ?? [])])
  return {
    ...Object.fromEntries([...codes].map((code) => [code, say(language, code)])),
    ...Object.fromEntries(rules.flatMap((rule) => limitMessages(rule, language))),
    ...(date && { age_not_allowed: say(language, 'age_not_allowed', { min: date.years_min, max: date.years_max }) }),
  }
}

/** An empty text is `required`, and no list or file is too small for 0. */
function limitMessages(rule: Node, language: Language): [string, string][] {
  if ('x-code' in rule) return []
  return Object.entries(LIMIT_CODES).flatMap(([keyword, code]) => {
    const limit = rule[keyword]
    const isReachable =
      typeof limit === 'number' && !(keyword.startsWith('min') && limit === (keyword === 'minLength' ? 1 : 0))
    return isReachable ? [[`${code}.${limit}`, say(language, code, { limit })]] : []
  })
}

function listRules(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(listRules)
  return isObject(node) ? [node, ...Object.values(node).flatMap(listRules)] : []
}
