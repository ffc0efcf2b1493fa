import { readFileSync } from 'node:fs'
import type { FormSchema } from './form-schema.ts'

/** The bundled document */
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, FormSchema> }
}

type Operation = { operationId: string; parameters?: { $ref?: string }[] | undefined }

const GENERATED = new URL('../../../generated/', import.meta.url)

export function readDocument(): { document: Document; json: Buffer; yaml: Buffer; openapi30: Buffer } {
  const json = readFileSync(new URL('openapi.json', GENERATED))
  const yaml = readFileSync(new URL('openapi.yaml', GENERATED))
  const openapi30 = readFileSync(new URL('openapi-3.0.json', GENERATED))
  return { document: JSON.parse(json.toString()) as Document, json, yaml, openapi30 }
}
