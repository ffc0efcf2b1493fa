// The parts of an OpenAPI document that the derivation of OpenAPI 3.0 touches, and the way through it.
import { findSchema, isObject, mapMembers, type Node } from '../document/openapi.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  oneOf?: Schema[]
  anyOf?: Schema[]
  examples?: unknown[]
  [keyword: string]: unknown
}

export type Media = { schema: Schema; examples?: Record<string, { value: Node }> }

type Operation = { tags: string[]; requestBody?: { content: Record<string, Media> } }

export type Document = {
  info: { description: string; summary?: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> } & Record<string, Record<string, unknown>>
}

/** Members whose values are data, in which nothing is a part of the document */
const DATA: readonly string[] = ['default', 'enum', 'example', 'examples', 'const', 'value']
/** Members whose values are parts by name, whatever the names are */
const NAMED: readonly string[] = ['properties', 'headers', 'responses', 'schemas']

/** Replaces each object of a document, such as a schema. The objects within an object are replaced before the object itself. */
export function mapObjects(document: Document, change: (object: Schema) => Schema): Document {
  const mapNode = (node: unknown, isNamed = false): unknown => {
    if (Array.isArray(node)) return node.map((each) => mapNode(each))
    if (!isObject(node)) return node
    const mapped = mapMembers(node, (value, key) =>
      !isNamed && DATA.includes(key) ? value : mapNode(value, !isNamed && NAMED.includes(key)),
    )
    return isNamed ? mapped : change(mapped)
  }
  return mapNode(document) as Document
}

export function listOperations({ paths }: Document): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item))
}

export function resolveSchema(schema: Schema, document: Document): Schema {
  const { $ref } = schema
  if ($ref === undefined) return schema
  return resolveSchema(findSchema($ref, document.components.schemas), document)
}
