// The published document, as far as the fuzzer reads it.
import { readFileSync } from 'node:fs'
import type { OperationId } from '../../src/contract/operation.ts'

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

type RawOperation = {
  operationId: OperationId
  parameters?: Parameter[]
  requestBody?: {
    required?: boolean
    content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>
  }
}

const FILE = new URL('../../../generated/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(FILE, 'utf8')) as { paths: Record<string, Record<string, unknown>> }

/** A part of the document without references. The document has no schema that holds itself. */
function resolve(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(resolve)
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part && typeof part.$ref === 'string') {
    const { $ref, ...beside } = part
    const names = $ref.split('/').slice(1)
    const target = names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document)
    return { ...(resolve(target) as object), ...(resolve(beside) as object) }
  }
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolve(value)]))
}

export const fuzzedOperations: readonly FuzzedOperation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, raw]) => {
    const { operationId: id, parameters = [], requestBody } = resolve(raw) as RawOperation
    const bodies = Object.entries(requestBody?.content ?? {}).map(([media, { schema, examples = {} }]) => {
      return { media, schema, examples: Object.values(examples).map(({ value }) => value) }
    })
    const isBodyRequired = requestBody?.required === true
    return { id, method: method.toUpperCase(), path, parameters, isBodyRequired, bodies }
  }),
)

/** The variants of a union, or the one schema that it is. */
export function listVariants(schema: Schema): Schema[] {
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  return variants.length > 0 ? variants.flatMap(listVariants) : [schema]
}

export function listTypes({ type = [] }: Schema): string[] {
  return [type].flat()
}
