import { mergeSchemas } from './merge.ts'
import type { Document } from './types.ts'
import { mapSchemas } from './walk.ts'

/**
 * Turns each union with a discriminator into one object with the properties of all variants. The properties that all
 * variants require are required. Many generators cannot build a union within a form, and others drop its fields.
 */
export function mergeUnions(document: Document): Document {
  return mapSchemas(document, (schema) => {
    const { oneOf, discriminator, ...others } = schema
    if (!oneOf || discriminator === undefined) return schema
    return { ...mergeSchemas(oneOf, document), ...others }
  })
}
