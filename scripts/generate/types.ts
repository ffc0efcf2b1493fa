import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import type { Document } from './document/openapi.ts'

/** Returns the document as TypeScript types. Files have the type `Upload`. */
export async function renderTypes(document: Document): Promise<string> {
  const file = ts.factory.createTypeReferenceNode('Upload')
  return astToString(
    // openapi-typescript edits what it is given
    await openapiTypes(structuredClone(document) as never, {
      alphabetize: false,
      immutable: false,
      transform: (schema) => (schema.format === 'binary' ? file : undefined),
    }),
  )
}

export function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/"([A-Za-z_]\w*)":/g, '$1:')
}
