import { withoutSourceExtensions } from './extensions.ts'
import type { Document } from './openapi.ts'

/** Returns the document as it is published: without the extensions that only the generator reads. */
export function publish(document: Document): Document {
  return withoutSourceExtensions(document) as Document
}
