import { listValues } from './codes.ts'
import type { Document, Schema } from './types.ts'
import { mapSchemas } from './walk.ts'

/**
 * Drops the bounds of enums, which break clients with generated validation, and enums of one number or boolean, which
 * break Python. Such a number keeps its bounds instead.
 */
export function simplifyEnums(document: Document): Document {
  return mapSchemas(document, (schema) => {
    const { enum: values, ...withoutEnum } = schema
    if (!values) return schema
    if (values.length === 1 && typeof values[0] !== 'string') return withoutEnum
    const { minimum: _, maximum: __, ...withoutBounds } = schema
    return withoutBounds
  })
}

/** Turns an enum into a plain value whose description lists the values. */
export function describeValues(schema: Schema): Schema {
  const { enum: values, description = '', ...plain } = schema
  const named = values?.filter((value) => value !== null) ?? []
  return values ? { ...plain, description: `${description}\n\nValues: ${listValues(named)}.` } : schema
}
