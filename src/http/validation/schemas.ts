import type { AnySchema } from 'ajv/dist/2020.js'
import { commonSchema, isUnion, tagsOf, type Union } from '../unions/union.ts'

/** A copy that Ajv takes: without `discriminator.mapping`, and with uploads in place of files. */
export function forAjv(schema: AnySchema): AnySchema {
  return rewritten(schema, (value) => value)
}

/**
 * A copy for what clients send: every text refuses what no text holds, and a union whose tag is wrong is judged by what
 * its variants have in common. Replies are not held to it: what was stored by other rules still goes out.
 */
export function forRequests(schema: AnySchema): AnySchema {
  return rewritten(schema, (value) => {
    if (isUnion(value)) return withCommon(value)
    return 'type' in value && [value.type].flat().includes('string') ? { ...value, cleanText: true } : value
  })
}

function rewritten(schema: AnySchema, rewrite: (value: object) => object): AnySchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if (key === 'discriminator' && 'mapping' in value) return { ...value, mapping: undefined }
    return 'format' in value && value.format === 'binary' ? { upload: true } : rewrite(value)
  }) as AnySchema
}

/** Of a wrong tag Ajv says no more than that. */
function withCommon(union: Union): object {
  const { propertyName: tag } = union.discriminator
  const tags = union.oneOf.flatMap((variant) => tagsOf(union, variant))
  return {
    ...union,
    if: { required: [tag], properties: { [tag]: { enum: tags } } },
    then: true,
    else: commonSchema(union),
  }
}

/** A copy for what clients send in headers, whose names are without case. */
export function lowerCaseNames(schema: AnySchema): AnySchema {
  const {
    properties = {},
    required = [],
    ...rest
  } = forRequests(schema) as { properties?: Record<string, unknown>; required?: string[] }
  const named = Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value] as const)
  const lowered: Record<string, unknown> = Object.fromEntries(named)
  return { ...rest, properties: lowered, required: required.map((name) => name.toLowerCase()) }
}
