// The part of a document that is for clients: generated clients do not call the operations of other systems.
import { filterMembers, mapMembers, METHODS } from './openapi.ts'

const CLIENT_SECURITY = 'bearerAuth'

/** The parts of a document that this depends on, in each version of OpenAPI */
type Described = {
  paths: Record<string, object>
  webhooks?: unknown
  components: Record<string, Record<string, unknown>>
}

/** Whether an operation is for clients: one of other systems requires their signatures. */
function isForClients({ security = [] }: { security?: object[] }): boolean {
  return security.every((option) => Object.keys(option).every((name) => name === CLIENT_SECURITY))
}

const isOperation = (key: string): boolean => (METHODS as readonly string[]).includes(key)

/** Drops the operations that other systems sign: no generated client calls them, and some generators fail on their forms. */
export function dropSigned<Any extends Described>(document: Any): Any {
  const paths = mapMembers(document.paths, (item) =>
    filterMembers({ ...item }, (key, value) => !isOperation(key) || isForClients(value as object)),
  )
  const { [CLIENT_SECURITY]: scheme } = document.components['securitySchemes'] ?? {}
  return {
    ...document,
    paths: filterMembers(paths, (_, item) => Object.keys(item).some(isOperation)),
    components: { ...document.components, securitySchemes: { [CLIENT_SECURITY]: scheme } },
  }
}

/** Drops the signed operations, and the components that only they refer to. */
export function keepForClients<Any extends Described>(document: Any): Any {
  const kept = dropSigned(document)
  const [before, after] = [document, kept].map(({ paths, webhooks }) => listReferences(document, { paths, webhooks }))
  const isKept = (reference: string): boolean => after?.has(reference) === true || before?.has(reference) === false
  const components = mapMembers(kept.components, (parts, kind) =>
    filterMembers(parts, (name) => isKept(`${kind}/${name}`)),
  )
  return { ...kept, components }
}

/** Returns the components that a part of the document refers to, also through others, such as `schemas/Account`. */
export function listReferences({ components }: Pick<Described, 'components'>, part: object): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(node ?? {}).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (found.has(reference)) continue
      found.add(reference)
      const [kind = '', name = ''] = reference.split('/')
      visit(components[kind]?.[name])
    }
  }
  visit(part)
  return found
}
