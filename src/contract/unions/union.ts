import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { bodyContent } from '../forms/form-schema.ts'

/** A schema of several kinds of objects. The value of the property that `discriminator` names, the tag, selects the kind. */
export type Union = Readonly<{
  discriminator: Readonly<{ propertyName: string }>
  oneOf: readonly Variant[]
}>

type Variant = Readonly<{
  required?: readonly string[]
  properties: Readonly<Record<string, Readonly<{ enum?: readonly unknown[] }>>>
}>

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

/** Removes descriptions and examples, which do not affect validity. */
function withoutWords(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { description: _description, examples: _examples, ...rest } = schema as Record<string, unknown>
  return rest
}

/** The generator expands `x-tawthiq-ignores` to it: the fields that are ignored in variants that do not have them */
const IGNORED_FIELDS = 'x-tawthiq-ignored-fields'

/**
 * Removes ignored fields from bodies before they are validated, so their values are neither checked nor stored. A client can
 * send one form for all kinds of accounts.
 */
export function ignoreFields(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const removers = new Map<string, RemoveIgnored>()
    for (const [media, { schema }] of Object.entries(bodyContent(route.schema))) {
      const remove = ignoredFieldsOf(schema)
      if (remove) removers.set(media, remove)
    }
    if (removers.size === 0) return
    const drop: preValidationHookHandler = (request, _reply, done) => {
      const remove = removers.get(request.mediaType ?? '')
      if (remove) request.body = remove(request.body)
      done()
    }
    route.preValidation = [route.preValidation ?? [], drop].flat()
  })
}

type RemoveIgnored = (body: unknown) => unknown

/** Returns a function that removes the fields that a schema ignores from a body; undefined if it ignores none. */
export function ignoredFieldsOf(schema: unknown): RemoveIgnored | undefined {
  if (!isUnion(schema) || !(IGNORED_FIELDS in schema)) return undefined
  const ignored = new Set(schema[IGNORED_FIELDS] as readonly string[]) // the generator lists names
  const fieldsByTag = new Map(
    schema.oneOf.flatMap((variant) => {
      const names = new Set(Object.keys(variant.properties))
      return listTags(schema, variant).map((tag) => [tag, names] as const)
    }),
  )
  const allFields = new Set([...fieldsByTag.values()].flatMap((names) => [...names])) // for an invalid tag
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    const known = fieldsByTag.get((body as Record<string, unknown>)[schema.discriminator.propertyName]) ?? allFields
    const entries = Object.entries(body)
    const kept = entries.filter(([name]) => known.has(name) || !ignored.has(name))
    return kept.length < entries.length ? Object.fromEntries(kept) : body
  }
}
