// The published document, as far as the fuzzer reads it.
import { readFileSync } from 'node:fs'
import type { OperationId } from '../../src/contract/operation.ts'
import { follow } from '../breaking/json.ts'
import { isObject, listRoutes, mapMembers, type Document } from '../generate/document/openapi.ts'

export type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}

export type Parameter = {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  schema: Schema
  examples?: Record<string, { value: unknown }>
}

export type FuzzedOperation = {
  id: OperationId
  method: string
  path: string
  parameters: Parameter[]
  isBodyRequired: boolean
  bodies: { media: string; schema: Schema; examples: unknown[] }[]
}

type RequestBody = {
  required?: boolean
  content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>
}

const FILE = new URL('../../../generated/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document

/** A part of the document without references. The document has no schema that holds itself. */
function resolve<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(resolve) as Part
  if (!isObject(part)) return part
  return mapMembers(follow(document, { node: part, pointer: '' }).node, resolve) as Part
}

export const fuzzedOperations: readonly FuzzedOperation[] = listRoutes(document).map(({ path, method, operation }) => {
  const { operationId, parameters = [], requestBody } = resolve(operation)
  const { required = false, content = {} } = (requestBody ?? {}) as Partial<RequestBody>
  return {
    id: operationId as OperationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters as Parameter[],
    isBodyRequired: required,
    bodies: Object.entries(content).map(([media, { schema, examples = {} }]) => {
      return { media, schema, examples: Object.values(examples).map(({ value }) => value) }
    }),
  }
})

/** The variants of a union, or the one schema that it is. */
export function listVariants(schema: Schema): Schema[] {
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  return variants.length > 0 ? variants.flatMap(listVariants) : [schema]
}

export function listTypes({ type = [] }: Schema): string[] {
  return [type].flat()
}
