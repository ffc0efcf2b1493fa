import { findSchema, isObject, SCHEMAS, type Document, type Schema } from './openapi.ts'
import type { TextKind } from './text-patterns.ts'

/**
 * Writes out what the sources of schemas share. One with `x-tawthiq-inline` stands wherever it is referred to, changed by what
 * is written beside the reference; one with `x-tawthiq-extends` begins with the properties of those that it names, each changed
 * by what it says of the same property. The published document has neither.
 */
export function writeOutSharedSchemas(document: Document): void {
  const { schemas } = document.components
  const writtenOut = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(writtenOut)
    if (!isObject(node)) return node
    const { 'x-tawthiq-extends': bases, ...own } = withShared(node, schemas)
    const members = Object.entries(own).map(([key, value]) => [key, writtenOut(value)] as const)
    const schema = Object.fromEntries(members)
    return Array.isArray(bases) ? extended(bases.map(resolveBase), schema) : schema
  }
  const resolveBase = (name: string): Schema => writtenOut(findSchema(name, schemas)) as Schema
  const isPublished = ([, schema]: [string, Schema]): boolean => !schema['x-tawthiq-inline']
  const published = Object.entries(schemas).filter(isPublished)
  document.paths = writtenOut(document.paths) as Document['paths']
  document.webhooks = writtenOut(document.webhooks) as Document['webhooks']
  const components = { ...document.components, schemas: Object.fromEntries(published) }
  document.components = writtenOut(components) as Document['components']
}

/** A node in place of which a shared schema stands, or the node itself. */
function withShared(node: Record<string, unknown>, schemas: Record<string, Schema>): Record<string, unknown> {
  const { $ref, ...beside } = node
  const shared = typeof $ref === 'string' && $ref.startsWith(SCHEMAS) ? schemas[$ref.slice(SCHEMAS.length)] : undefined
  if (!shared?.['x-tawthiq-inline']) return node
  const { 'x-tawthiq-inline': _, ...schema } = { ...withShared(shared, schemas), ...beside }
  return schema
}

function extended(bases: Schema[], schema: Schema): Schema {
  const all = [...bases, schema]
  const properties: Record<string, object> = {}
  for (const [name, property] of all.flatMap((each) => Object.entries(each.properties ?? {})))
    properties[name] = { ...properties[name], ...(property as object) }
  return { ...schema, required: all.flatMap(({ required = [] }) => required), properties }
}

/** Replaces `x-tawthiq-text` by the pattern of texts of this kind, and by how the service cleans and judges them. */
export function writeOutTexts(node: unknown, kinds: Readonly<Record<string, TextKind>>): void {
  if (!isObject(node) && !Array.isArray(node)) return
  if (isObject(node) && 'x-tawthiq-text' in node) {
    const { 'x-tawthiq-text': name } = node
    const kind = kinds[String(name)]
    if (!kind) throw new Error(`x-tawthiq-text has no kind ${String(name)}`)
    delete node['x-tawthiq-text']
    const { pattern, input, isVisible } = kind
    Object.assign(node, { pattern, ...(isVisible && { 'x-tawthiq-visible': true }) })
    if (input) node['x-tawthiq-input'] = input
  }
  for (const member of Object.values(node)) writeOutTexts(member, kinds)
}
