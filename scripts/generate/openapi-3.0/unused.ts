import type { Document } from './types.ts'

/** Drops the components that no operation refers to, such as the variants of unions and the parts of webhooks. */
export function dropUnused(document: Document): Document {
  const { components } = document
  const used = new Set<string>()
  const visit = (node: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(node).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (used.has(reference)) continue
      used.add(reference)
      const [kind = '', name = ''] = reference.split('/')
      visit(components[kind]?.[name])
    }
  }
  visit(document.paths)
  for (const [kind, parts] of Object.entries(components)) {
    if (kind === 'securitySchemes') continue
    for (const name of Object.keys(parts)) if (!used.has(`${kind}/${name}`)) Reflect.deleteProperty(parts, name)
    if (Object.keys(parts).length === 0) Reflect.deleteProperty(components, kind)
  }
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const named = new Set(operations.flatMap(({ tags }) => tags))
  return { ...document, tags: document.tags.filter(({ name }) => named.has(name)) }
}
