import { filterMembers, mapMembers } from '../document/openapi.ts'
import { mapObjects, resolveSchema, type Document, type Schema } from './document.ts'

/** Keywords that two schemas may differ in: both kinds of values stay valid. The first description and the first examples are kept. */
const COMBINED: Readonly<Record<string, (values: unknown[]) => unknown>> = {
  minimum: smallest,
  minLength: smallest,
  minItems: smallest,
  minProperties: smallest,
  maximum: largest,
  maxLength: largest,
  maxItems: largest,
  maxProperties: largest,
  enum: (values) => [...new Set(values.flat())],
}

function smallest(limits: unknown[]): number {
  return Math.min(...limits.map(Number))
}

function largest(limits: unknown[]): number {
  return Math.max(...limits.map(Number))
}

/**
 * Turns each union with a discriminator, and each `anyOf` of objects, into one object with the properties of all variants.
 * The properties that all variants require are required. Many generators cannot build a union within a form, and others
 * drop its fields.
 */
export function mergeUnions(document: Document): Document {
  return mapObjects(document, (schema) => {
    const { oneOf, anyOf, discriminator, ...others } = schema
    if (oneOf && discriminator !== undefined) return { ...mergeSchemas(oneOf, document), ...others }
    const areObjects = anyOf?.every((variant) => resolveSchema(variant, document).properties)
    return anyOf && areObjects ? { ...mergeSchemas(anyOf, document), ...others } : schema
  })
}

function mergeSchemas(schemas: readonly Schema[], document: Document): Schema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [only, ...others] = distinct
  if (only && others.length === 0) return only
  const resolved = distinct.map((schema) => resolveSchema(schema, document))
  const isObject = resolved.every(({ type, properties }) => type === 'object' && properties)
  const merged = isObject ? mergeObjects(resolved, document) : mergeValues(resolved, document)
  return resolved.some(({ nullable }) => nullable) ? { ...merged, nullable: true } : merged
}

function mergeObjects(schemas: readonly Schema[], document: Document): Schema {
  const names = [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const merged = names.map((name) => {
    const variants = schemas.flatMap<Schema>(({ properties = {} }) => properties[name] ?? [])
    return [name, mergeSchemas(variants, document)] as const
  })
  const required = names.filter((name) => schemas.every((schema) => schema.required?.includes(name)))
  const { description = '' } = schemas[0] ?? {}
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(merged),
  }
}

/** Keeps what the schemas have in common; where they differ, the wider limit, and the values of both enums. */
function mergeValues(schemas: readonly Schema[], document: Document): Schema {
  const [first = {}, ...others] = schemas
  if (others.some(({ type }) => type !== first.type))
    throw new Error(`variants disagree on the type of a property: ${JSON.stringify(schemas)}`)
  const merged = mapMembers(first, (value, keyword) => {
    if (['description', 'examples'].includes(keyword)) return value
    if (!others.every((schema) => keyword in schema)) return undefined
    const values = schemas.map((schema) => schema[keyword])
    if (keyword === 'items') return mergeSchemas(values as Schema[], document)
    if (COMBINED[keyword]) return COMBINED[keyword](values)
    return new Set(values.map((each) => JSON.stringify(each))).size === 1 ? value : undefined
  })
  return filterMembers(merged, (_, value) => value !== undefined)
}
