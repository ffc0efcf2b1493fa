import { readFileSync } from 'node:fs'
import type { FormSchema } from './forms/form-schema.ts'

/** The bundled document */
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, FormSchema>; parameters: Record<string, Parameter> }
}

type Operation = { operationId: string; parameters?: Parameter[] | undefined }

/** A parameter, or a reference to one */
export type Parameter = { $ref?: string; schema?: object; examples?: Record<string, { value: unknown }> }

export function readDocument(): Document {
  return JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')) as Document
}
