import { isDeepStrictEqual } from 'node:util'

/** A schema of several kinds of objects. The value of the property that `discriminator` names, the tag, selects the kind. */
export type Union = Readonly<{
  discriminator: Readonly<{ propertyName: string }>
  oneOf: readonly Variant[]
}>

export type Variant = Readonly<{
  required?: readonly string[]
  properties: Readonly<Record<string, Property>>
}>

type Property = Readonly<{ enum?: readonly unknown[] }>

/** A schema of what all variants have in common */
export type CommonSchema = {
  type: 'object'
  additionalProperties: false
  required: string[]
  /** `{}`, which accepts any value, where the variants differ */
  properties: Record<string, object>
}

/** Whether a schema is a union whose variants are inline, not references. */
export function isUnion(schema: unknown): schema is Union {
  if (typeof schema !== 'object' || schema === null || !('discriminator' in schema)) return false
  const { oneOf = [] } = schema as { oneOf?: readonly object[] }
  return oneOf.length > 0 && oneOf.every((variant) => 'properties' in variant)
}

/** Returns the values of the tag that select a variant. */
export function listTags({ discriminator }: Union, { properties }: Variant): readonly unknown[] {
  return properties[discriminator.propertyName]?.enum ?? []
}

/**
 * Returns the schema that validates an object with an invalid tag: the required fields that all variants share, the
 * properties whose schemas differ at most in descriptions, and no other names.
 */
export function commonSchema({ discriminator: { propertyName: tag }, oneOf }: Union): CommonSchema {
  const names = new Set(oneOf.flatMap(({ properties }) => Object.keys(properties)))
  const [first, ...others] = oneOf
  const isRequired = (name: string): boolean => others.every(({ required = [] }) => required.includes(name))
  const sharedProperty = (name: string): object => {
    const [schema, ...rest] = oneOf.map(({ properties }) => withoutWords(properties[name]))
    const isShared = name !== tag && rest.every((other) => isDeepStrictEqual(schema, other))
    return isShared ? (schema as object) : {}
  }
  return {
    type: 'object',
    additionalProperties: false,
    required: (first?.required ?? []).filter(isRequired),
    properties: Object.fromEntries([...names].map((name) => [name, sharedProperty(name)])),
  }
}

/** Returns the names of the properties whose values a common schema checks. */
export function checkedNames({ properties }: CommonSchema): Set<string> {
  const judged = Object.entries(properties).filter(([, property]) => Object.keys(property).length > 0)
  return new Set(judged.map(([name]) => name))
}

/** Removes descriptions and examples, which do not affect validity. */
function withoutWords(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { description: _description, examples: _examples, ...rest } = schema as Record<string, unknown>
  return rest
}
