import type { Document } from './types.ts'
import { mapSchemas } from './walk.ts'

/** Drops what is written beside a reference: OpenAPI 3.0 ignores it, and validators reject it. */
export function dropReferenceSiblings(document: Document): Document {
  return mapSchemas(document, (schema) => (schema.$ref === undefined ? schema : { $ref: schema.$ref }))
}
