import type { AnySchema } from 'ajv/dist/2020.js'
import { commonSchema, isUnion, listTags, type Union } from '../unions/union.ts'

/**
 * Returns a copy for responses that rejects members that the document does not list. The published schemas accept them,
 * because clients must tolerate members that are added later.
 */
export function forResponses(schema: AnySchema): AnySchema {
  return rewritten(schema, (value) => ('properties' in value ? { additionalProperties: false, ...value } : value))
}

/**
 * Returns a copy for requests, whose ignored fields have been removed. Texts are cleaned and must be clean, and a union with an invalid tag is
 * validated by what its variants have in common. Responses are not validated so strictly, because stored values may predate
 * these rules.
 */
export function forRequests(schema: AnySchema): AnySchema {
  return rewritten(schema, (value) => {
    if (isUnion(value)) return withCommon(value)
    // The published schema also accepts the names of ignored fields.
    if ('properties' in value && 'propertyNames' in value)
      return { ...value, propertyNames: undefined, additionalProperties: false }
    if (!('type' in value && [value.type].flat().includes('string'))) return value
    return { ...value, cleanText: true, ...('x-tawthiq-input' in value && { input: value['x-tawthiq-input'] }) }
  })
}

/** Rewrites a copy that Ajv accepts: without `discriminator.mapping`, and with `upload` in place of binary files. */
function rewritten(schema: AnySchema, rewrite: (value: object) => object): AnySchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if (key === 'discriminator' && 'mapping' in value) return { ...value, mapping: undefined }
    return 'format' in value && value.format === 'binary' ? { upload: true } : rewrite(value)
  }) as AnySchema
}

/** For an invalid tag, Ajv reports nothing else: the other fields are validated here. */
function withCommon(union: Union): object {
  const { propertyName: tag } = union.discriminator
  const tags = union.oneOf.flatMap((variant) => listTags(union, variant))
  return {
    ...union,
    if: { required: [tag], properties: { [tag]: { enum: tags } } },
    then: true,
    else: commonSchema(union),
  }
}

/** Returns a copy for request headers, whose names are case-insensitive. */
export function lowerCaseNames(schema: AnySchema): AnySchema {
  const {
    properties = {},
    required = [],
    ...rest
  } = forRequests(schema) as { properties?: Record<string, unknown>; required?: string[] }
  const named = Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value] as const)
  return { ...rest, properties: Object.fromEntries(named), required: required.map((name) => name.toLowerCase()) }
}
