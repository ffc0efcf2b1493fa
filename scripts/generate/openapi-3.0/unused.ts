import type { Document, Operation } from './types.ts'

/** The way in which clients authenticate */
const CLIENT_SECURITY = 'bearerAuth'

/** Whether an operation is for clients: one of other systems requires their signatures. */
function isForClients({ security = [] }: Operation): boolean {
  return security.every((option) => Object.keys(option).every((name) => name === CLIENT_SECURITY))
}

/** Drops the operations that other systems sign: no generated client calls them, and some generators fail on their forms. */
export function dropSigned(document: Document): Document {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const kept = Object.entries(item).filter(([, operation]) => isForClients(operation))
    return [path, Object.fromEntries(kept)] as const
  })
  const { [CLIENT_SECURITY]: scheme } = document.components['securitySchemes'] ?? {}
  return {
    ...document,
    paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)),
    components: { ...document.components, securitySchemes: { [CLIENT_SECURITY]: scheme } },
  }
}

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
