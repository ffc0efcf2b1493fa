import { readFileSync } from 'node:fs'
import type { FormSchema } from './forms/form-schema.ts'

/** The bundled document */
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, FormSchema> }
}

type Operation = { operationId: string; parameters?: { $ref?: string }[] | undefined }

export function readDocument(): Document {
  return JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')) as Document
}
