import { isDeepStrictEqual } from 'node:util'

/** A schema of objects of several kinds; `discriminator` names the property, the tag, whose value tells them apart. */
export type Union = Readonly<{
  discriminator: Readonly<{ propertyName: string }>
  oneOf: readonly Variant[]
}>

export type Variant = Readonly<{
  required?: readonly string[]
  properties: Readonly<Record<string, Property>>
}>

type Property = Readonly<{ enum?: readonly unknown[] }>

/** A schema of what an object has in common with all variants. */
export type CommonSchema = {
  type: 'object'
  additionalProperties: false
  required: string[]
  /** Where the variants differ, any value passes: `{}` */
  properties: Record<string, object>
}

/** Whether a schema is a union whose variants are written out, and not references. */
export function isUnion(schema: unknown): schema is Union {
  if (typeof schema !== 'object' || schema === null || !('discriminator' in schema)) return false
  const { oneOf = [] } = schema as { oneOf?: readonly object[] }
  return oneOf.length > 0 && oneOf.every((variant) => 'properties' in variant)
}

/** The values of the tag that a variant takes. */
export function tagsOf({ discriminator }: Union, { properties }: Variant): readonly unknown[] {
  return properties[discriminator.propertyName]?.enum ?? []
}

/**
 * Returns what all variants say alike, by which an object is judged whose tag is wrong: all required fields that they
 * share, the properties whose schemas differ in words at most, and no names but theirs.
 */
export function commonSchema({ discriminator: { propertyName: tag }, oneOf }: Union): CommonSchema {
  const names = new Set(oneOf.flatMap(({ properties }) => Object.keys(properties)))
  const [first, ...others] = oneOf
  const isRequired = (name: string): boolean => others.every(({ required = [] }) => required.includes(name))
  const propertyOf = (name: string): object => {
    const [schema, ...rest] = oneOf.map(({ properties }) => withoutWords(properties[name]))
    const isShared = name !== tag && rest.every((other) => isDeepStrictEqual(schema, other))
    return isShared ? (schema as object) : {}
  }
  return {
    type: 'object',
    additionalProperties: false,
    required: (first?.required ?? []).filter(isRequired),
    properties: Object.fromEntries([...names].map((name) => [name, propertyOf(name)])),
  }
}

/** The names of the properties that a common schema judges. */
export function judgedNames({ properties }: CommonSchema): Set<string> {
  const judged = Object.entries(properties).filter(([, property]) => Object.keys(property).length > 0)
  return new Set(judged.map(([name]) => name))
}

/** Descriptions and examples do not decide what is valid. */
function withoutWords(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { description: _description, examples: _examples, ...rest } = schema as Record<string, unknown>
  return rest
}
