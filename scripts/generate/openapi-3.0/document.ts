// The parts of an OpenAPI document that the derivation of OpenAPI 3.0 touches, and the ways through it.
import { isObject, mapMembers } from '../document/openapi.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  nullable?: boolean
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  discriminator?: unknown
  example?: unknown
  examples?: unknown[]
  [keyword: string]: unknown
}

export type Media = { schema: Schema; examples?: Record<string, { value: unknown }> }

export type Body = { content: Record<string, Media> }

export type Operation = {
  tags: string[]
  requestBody?: Body
  responses: Record<string, Response>
  [member: string]: unknown
}

export type Header = { description?: string; schema: Schema }

export type Response = { headers?: Record<string, Header | { $ref: string }> }

export type Document = {
  openapi: string
  info: { description: string; [member: string]: unknown }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    [kind: string]: Record<string, unknown>
  }
  [member: string]: unknown
}

/** Members whose values are data, in which nothing is a part of the document */
const DATA: readonly string[] = ['default', 'enum', 'example', 'examples', 'const', 'value']
/** Keywords whose values are one schema, a list of schemas, or schemas by name */
const ONE: readonly string[] = ['additionalProperties', 'items']
const MANY: readonly string[] = ['allOf', 'anyOf', 'oneOf']
const NAMED: readonly string[] = ['properties']

/** Replaces each schema of a document. The schemas within a schema are replaced before the schema itself. */
export function mapSchemas(document: Document, change: (schema: Schema) => Schema): Document {
  const mapAll = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(mapAll)
    if (!isObject(node)) return node
    return mapMembers(node, (value, key) => {
      if (DATA.includes(key)) return value
      if (key === 'schema') return mapSchema(value as Schema, change)
      if (key === 'schemas') return mapMembers(value as Record<string, Schema>, (each) => mapSchema(each, change))
      return mapAll(value)
    })
  }
  return mapAll(document) as Document
}

function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  if (!isObject(schema)) return schema
  const mapped = (each: unknown): Schema => mapSchema(each as Schema, change)
  const parts = mapMembers(schema, (value, keyword) => {
    if (ONE.includes(keyword)) return mapped(value)
    if (MANY.includes(keyword)) return (value as Schema[]).map(mapped)
    if (NAMED.includes(keyword)) return mapMembers(value as Record<string, Schema>, mapped)
    return value
  })
  return change(parts)
}

/** Removes members of the objects of a document, except from data and from lists of properties by name. */
export function removeMembers<Node>(node: Node, isRemoved: (key: string) => boolean): Node {
  if (Array.isArray(node)) return node.map((item: unknown) => removeMembers(item, isRemoved)) as Node
  if (!isObject(node)) return node
  const members = Object.entries(node).flatMap(([key, value]) => {
    if (isRemoved(key)) return []
    const isNamed = NAMED.includes(key) && isObject(value)
    if (isNamed) return [[key, mapMembers(value, (each) => removeMembers(each, isRemoved))]]
    return [[key, DATA.includes(key) ? value : removeMembers(value, isRemoved)]]
  })
  return Object.fromEntries(members) as Node
}

export function resolveSchema(schema: Schema, { components }: Document): Schema {
  if (schema.$ref === undefined) return schema
  const found = components.schemas[schema.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`the document has no schema ${schema.$ref}`)
  return resolveSchema(found, { components } as Document)
}
