import { enumerationsIn } from '../../src/messages/enumerations.ts'
import type { Language } from '../../src/messages/index.ts'
import { FIELD_ENUMERATIONS, FIELD_LABELS, FIELD_LOOKUPS, type FieldLabel } from './form-labels.ts'
import { isObject, resolveSchema, type Document } from './document/openapi.ts'

const FORMS = { client: 'ClientProfileForm', lawyer: 'LawyerProfileForm' } as const
const LABELS = 'scripts/generate/form-labels.ts'
/** The keywords of JSON Schema that are published as they are */
const KEYWORDS = [
  'type',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'maxProperties',
]
/** Other formats only state how clients store a number. */
const FORMATS = ['email', 'password', 'binary']
/** Whether a file is required. The service adds the degrees that need a certificate, which the lookups state. */
const FILE_RULES: Readonly<Record<string, object>> = {
  national_id_image: { required: 'unless_stored' },
  degree_certificate: { required: 'unless_stored', if: { field: 'degree', values: [] } },
  company_license_file: { required: 'unless_stored', if: { field: 'type', values: [2, 3] } },
}

type Node = Record<string, unknown>

/** Returns the profile forms by account type and language, from the schemas that requests are validated with. */
export function buildForms(document: Document): Record<string, Record<Language, Node>> {
  const form = (name: string, language: Language): Node => buildForm(document, name, language)
  return Object.fromEntries(
    Object.entries(FORMS).map(([type, name]) => [type, { ar: form(name, 'ar'), en: form(name, 'en') }]),
  )
}

function buildForm(document: Document, name: string, language: Language): Node {
  const { properties = {}, required = [], dependentSchemas = {} } = document.components.schemas[name] as Node
  const fields = properties as Record<string, Node>
  const unnamed = Object.keys(fields).filter((field) => !(field in FIELD_LABELS))
  if (unnamed.length > 0) throw new Error(`${LABELS}: add a label to FIELD_LABELS for ${unnamed.join(', ')} of ${name}`)
  const entries = Object.entries(FIELD_LABELS).flatMap(([field, label]) => {
    const schema = fields[field]
    return schema ? [[field, buildField(document, { field, schema, label, language })] as const] : []
  })
  const rules = Object.entries(dependentSchemas as Record<string, Node>)
  const conditions = rules.flatMap(([field, rule]) => conditionsOf(field, rule))
  return {
    type: 'object',
    required,
    properties: Object.fromEntries(entries),
    additionalProperties: false,
    ...(conditions.length > 0 && { allOf: conditions }),
  }
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
    ...(isObject(additionalProperties) && { additionalProperties: rulesOf(additionalProperties) }),
    ...(field in FIELD_LOOKUPS && { 'x-lookup': FIELD_LOOKUPS[field] }),
    ...(field === 'license_no' && { 'x-keys': 'sections' }),
    ...(schema['format'] === 'binary' && { 'x-file': fileRule(document, field, schema) }),
    ...(extension(schema, 'clearable') === true && { 'x-clearable': true }),
  }
}

function rulesOf(schema: Node): Node {
  const kept = Object.entries(schema).filter(([keyword]) => KEYWORDS.includes(keyword))
  const format = FORMATS.includes(String(schema['format'])) ? { format: schema['format'] } : {}
  return { ...Object.fromEntries(kept), ...format }
}

/** Returns the only value of a field, or the names of its values. */
function valuesOf(field: string, { enum: values }: Node, language: Language): Node {
  if (!Array.isArray(values)) return {}
  if (values.length === 1) return { const: values[0] as unknown }
  const set = FIELD_ENUMERATIONS[field as keyof typeof FIELD_ENUMERATIONS] as
    (typeof FIELD_ENUMERATIONS)[keyof typeof FIELD_ENUMERATIONS] | undefined
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

/**
 * Returns a `dependentSchemas` rule as conditions that stand side by side, because JSON Forms ignores `dependentSchemas`.
 * A condition within another one is published alone, if it implies the outer one.
 */
function conditionsOf(field: string, rule: Node, outer?: readonly unknown[]): Node[] {
  const test = rule['if'] as { properties: Record<string, Node> }
  const then = rule['then'] as Node
  const values = test.properties[field]?.['enum'] as unknown[] | undefined
  if (outer && !values?.every((value) => outer.includes(value)))
    throw new Error(`a condition of ${field} does not imply the one around it`)
  const { required = [], properties = {} } = then
  const condition = {
    if: { required: [field], properties: test.properties },
    then: { required, properties: withoutEmpty(properties as Record<string, Node>) },
  }
  return [condition, ...(then['if'] ? conditionsOf(field, then, values ?? []) : [])]
}

function withoutEmpty(properties: Record<string, Node>): Node {
  return Object.fromEntries(Object.entries(properties).filter(([, rule]) => Object.keys(rule).length > 0))
}

function extension(schema: Node, name: string): unknown {
  return schema[`x-tawthiq-${name}`] ?? schema[`x-${name}`]
}
