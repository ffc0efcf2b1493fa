import { memberOf, type Node, type Part } from './json.ts'
import { membersOf, sharedOperations, type Break, type Documents } from './operations.ts'
import { responseSchemas } from './schemas.ts'

/** Returns the responses that no longer have an error code. A response that operations share is returned once. */
export function removedErrorCodes(documents: Documents): Break[] {
  const found = new Map<string, Break>()
  for (const { title, ...operation } of sharedOperations(documents)) {
    for (const { name: status, ...response } of membersOf(documents, operation, 'responses')) {
      const codes = codesOf(documents.current, response.current)
      const removed = codesOf(documents.released, response.released).filter((code) => !codes.includes(code))
      const location = `${response.current.pointer}/headers/Error-Code`
      if (removed.length === 0 || found.has(location)) continue
      const message = `Error codes were removed: ${removed.map((code) => `\`${code}\``).join(', ')}.`
      found.set(location, { rule: 'error-code-removed', location, message, use: `response ${status} of ${title}` })
    }
  }
  return [...found.values()]
}

function codesOf(document: Node, response: Part): string[] {
  const headers = memberOf(document, response, 'headers')
  const header = headers && memberOf(document, headers, 'Error-Code')
  const codes = header && memberOf(document, header, 'schema')?.node['enum']
  return Array.isArray(codes) ? codes.map(String) : []
}

/** Returns the enumerations of responses and webhooks that lost values, such as field codes and types of events. */
export function removedValues(documents: Documents): Break[] {
  return responseSchemas(documents).flatMap(({ released, current }) => {
    const after = valuesOf(current)
    const removed = after ? (valuesOf(released) ?? []).filter((value) => !after.includes(value)) : []
    if (removed.length === 0) return []
    const message = `Values were removed: ${removed.map((value) => `\`${String(value)}\``).join(', ')}.`
    return [{ rule: 'enum-values-removed', location: `${current.pointer}/enum`, message }]
  })
}

function valuesOf({ node }: Part): unknown[] | undefined {
  return Array.isArray(node['enum']) ? (node['enum'] as unknown[]) : undefined
}
