import { readFileSync } from 'node:fs'
import type { FormSchema } from './forms/form-schema.ts'

/** The bundled document */
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, FormSchema> }
}

type Operation = { operationId: string; parameters?: { $ref?: string }[] | undefined }

const GENERATED = new URL('../../../generated/', import.meta.url)

export function readDocument(): Document {
  return JSON.parse(readFileSync(new URL('openapi.json', GENERATED), 'utf8')) as Document
}
