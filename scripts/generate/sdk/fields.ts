import { literal } from '../types.ts'
import { findSchema, mapMembers, typesOf, type Document, type Schema } from '../document/openapi.ts'

/** The maximum of every id, which says nothing about the field */
const INT32_MAX = 2 ** 31 - 1

type Field = {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  maximum?: number
  'x-tawthiq-clearable'?: true
  'x-tawthiq-megabytes-max'?: number
}

export function renderFields({ components: { schemas } }: Document): string {
  const { mapping = {} } = schemas['UpdateProfileRequest']?.discriminator ?? {}
  const forms = Object.entries(mapping).map(([type, ref]) => [type, describeForm(schemas, findSchema(ref, schemas))])
  if (forms.length === 0) throw new Error('UpdateProfileRequest has no mapping of its forms')
  return `/**
 * Fields of the profile form, by account type. \`maximum\` is a number of characters, items or megabytes, or the largest
 * number. Fields whose requirement depends on others are not \`required\` here.
 */
export const FIELDS = ${literal(Object.fromEntries(forms))} as const\n`
}

function describeForm(schemas: Record<string, Schema>, { properties = {}, required = [] }: Schema): object {
  return mapMembers(properties, (property, name) => {
    const { $ref } = property as Field
    const field = ($ref === undefined ? property : findSchema($ref, schemas)) as Field
    return {
      kind: kindOf(field),
      ...(required.includes(name) && { required: true }),
      ...(field['x-tawthiq-clearable'] && { clearable: true }),
      ...maximumOf(field),
    }
  })
}

function kindOf({ format, ...schema }: Field): string {
  const [type] = typesOf(schema)
  if (format === 'binary') return 'file'
  if (type === 'array') return 'list'
  if (type === 'object') return 'map'
  return type === 'string' ? 'text' : 'number'
}

function maximumOf(field: Field): { maximum?: number } {
  const { maxLength, maxItems, maxProperties, maximum, 'x-tawthiq-megabytes-max': megabytes } = field
  const found = megabytes ?? maxLength ?? maxItems ?? maxProperties ?? maximum
  return found === undefined || found === INT32_MAX ? {} : { maximum: found }
}
