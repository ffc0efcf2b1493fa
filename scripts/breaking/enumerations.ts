import type { Break } from './break.ts'
import type { Part } from './json.ts'
import type { Documents } from './operations.ts'
import { responseSchemas } from './schemas.ts'

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
