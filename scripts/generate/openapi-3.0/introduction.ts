import type { Document } from './types.ts'

const NOTE = `This is the OpenAPI 3.0 edition of the document, for code generators and other tools that cannot read OpenAPI 3.1.
It describes the same operations and fields as \`/openapi.json\`, with fewer rules: conditions, webhooks and the operation for SMS providers are omitted, a union is one object with the fields of all variants, and error codes are plain strings.
In forms with files, lists and maps are sent as JSON text, for example \`[8,40]\`.`

/** Adds a note about this edition to the introduction. */
export function introduce(document: Document): Document {
  return { ...document, info: { ...document.info, description: `${NOTE}\n\n${document.info.description}` } }
}
