// The fields of requests, compared as sets: an object accepts the names that it lists, or any name if it is open.
import { asNode, escapeName, type Node } from './json.ts'
import type { Break, Documents, Pair } from './operations.ts'
import { requestSchemas } from './schemas.ts'

const NAMES = /^\^\(\?:([\w|-]+)\)\$$/

/** Returns the fields of requests that the current document no longer has or no longer accepts. */
export function removedFields(documents: Documents): Break[] {
  return requestSchemas(documents).flatMap((pair) => [...removedIn(pair), ...rejectedIn(pair)])
}

/** Returns the names that a `propertyNames` lists; undefined if it is another rule. */
export function listNames(rule: unknown): string[] | undefined {
  const { pattern } = asNode(rule)
  return typeof pattern === 'string' ? NAMES.exec(pattern)?.[1]?.split('|') : undefined
}

function removedIn({ released, current }: Pair): Break[] {
  const fields = propertiesOf(current.node)
  return propertiesOf(released.node)
    .filter((field) => !fields.includes(field))
    .map((field) => ({
      rule: 'property-removed',
      location: `${current.pointer}/properties/${escapeName(field)}`,
      message: `The request no longer has the field \`${field}\`.`,
    }))
}

/** A removed property is reported by `removedIn`. */
function rejectedIn({ released, current }: Pair): Break[] {
  const after = acceptedNames(current.node)
  if (!after) return []
  const before = acceptedNames(released.node)
  const properties = propertiesOf(released.node)
  const rejected = before?.filter((name) => !after.includes(name) && !properties.includes(name))
  if (rejected?.length === 0) return []
  const message = rejected
    ? `The request no longer accepts the fields ${rejected.map((name) => `\`${name}\``).join(', ')}.`
    : 'The request no longer accepts fields that the document does not list.'
  return [{ rule: 'field-rejected', location: current.pointer, message }]
}

/** Returns the names that an object accepts; undefined if it accepts any. */
function acceptedNames({ additionalProperties, propertyNames, ...node }: Node): string[] | undefined {
  return additionalProperties === false ? propertiesOf(node) : listNames(propertyNames)
}

function propertiesOf({ properties }: Node): string[] {
  return Object.keys(asNode(properties))
}
