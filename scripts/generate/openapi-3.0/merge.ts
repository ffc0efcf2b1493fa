import { filterMembers, mapMembers } from '../document/openapi.ts'
import { mapSchemas, resolveSchema, type Document, type Schema } from './document.ts'

/** Keywords that limit a value, by how the limits of two schemas combine: both kinds of values stay valid */
const COMBINED: Readonly<Record<string, (...limits: number[]) => number>> = {
  minimum: Math.min,
  minLength: Math.min,
  minItems: Math.min,
  minProperties: Math.min,
  maximum: Math.max,
  maxLength: Math.max,
  maxItems: Math.max,
  maxProperties: Math.max,
}

/**
 * Turns each union with a discriminator, and each `anyOf` of objects, into one object with the properties of all variants.
 * The properties that all variants require are required. Many generators cannot build a union within a form, and others
 * drop its fields.
 */
export function mergeUnions(document: Document): Document {
  return mapSchemas(document, (schema) => {
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
  const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))
  const merged = [...names].map((name) => {
    const variants = schemas.flatMap<Schema>(({ properties = {} }) => properties[name] ?? [])
    return [name, mergeSchemas(variants, document)] as const
  })
  const required = [...names].filter((name) => schemas.every((schema) => schema.required?.includes(name)))
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
  const common = Object.keys(first).filter((keyword) => schemas.every((schema) => keyword in schema))
  const kept = new Set(['description', 'examples', ...common])
  const merged = mapMembers(first, (value, keyword) => {
    const values = schemas.map((schema) => schema[keyword])
    const combine = COMBINED[keyword]
    if (combine) return combine(...values.map(Number))
    if (keyword === 'enum') return [...new Set(values.flat())]
    if (keyword === 'items') return mergeSchemas(values as Schema[], document)
    if (['description', 'examples'].includes(keyword) || values.every((each) => equal(each, value))) return value
    return undefined
  })
  if (others.some(({ type }) => type !== first.type))
    throw new Error(`variants disagree on the type of a property: ${JSON.stringify(schemas)}`)
  return filterMembers(merged, (keyword, value) => kept.has(keyword) && value !== undefined)
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
