import { listReferences } from '../document/for-clients.ts'
import type { Document } from './types.ts'

/** Drops the components that no operation refers to, such as the variants of unions and the parts of webhooks. */
export function dropUnused(document: Document): Document {
  const { components } = document
  const used = listReferences(document, document.paths)
  for (const [kind, parts] of Object.entries(components)) {
    if (kind === 'securitySchemes') continue
    for (const name of Object.keys(parts)) if (!used.has(`${kind}/${name}`)) Reflect.deleteProperty(parts, name)
    if (Object.keys(parts).length === 0) Reflect.deleteProperty(components, kind)
  }
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const named = new Set(operations.flatMap(({ tags }) => tags))
  return { ...document, tags: document.tags.filter(({ name }) => named.has(name)) }
}
