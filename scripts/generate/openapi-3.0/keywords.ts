import { mapSchemas, removeMembers, type Document, type Schema } from './document.ts'

/** Keywords that OpenAPI 3.0 does not have, and two that break generated clients: Java cannot build unique items. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['$anchor', '$comment', '$defs', '$dynamicAnchor', '$dynamicRef', '$id', '$schema', 'jsonSchemaDialect'],
  ...['contains', 'maxContains', 'minContains', 'prefixItems', 'unevaluatedItems', 'uniqueItems'],
  ...['patternProperties', 'propertyNames', 'unevaluatedProperties'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
  'webhooks',
])

/** Drops webhooks, extensions, and the conditions of schemas: the service validates them, and descriptions state them. */
export function dropKeywords(document: Document): Document {
  const isDropped = (key: string): boolean => DROPPED.has(key) || key.startsWith('x-')
  const { summary: _, ...info } = document.info
  const kept = removeMembers<Document>({ ...document, openapi: '3.0.3', info }, isDropped)
  return mapSchemas(kept, dropNotAndClosed)
}

/** Drops `additionalProperties: false`, which closes a schema, and conditions that are left without effect. */
function dropNotAndClosed(schema: Schema): Schema {
  const { additionalProperties, not: _, ...others } = schema
  return additionalProperties === false || additionalProperties === undefined
    ? others
    : { ...others, additionalProperties }
}
