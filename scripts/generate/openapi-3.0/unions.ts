import { mergeSchemas } from './merge.ts'
import type { Document } from './types.ts'
import { mapSchemas, resolveSchema } from './walk.ts'

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
