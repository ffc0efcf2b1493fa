import { asNode, isNode, type Node } from './json.ts'
import type { Documents } from './operations.ts'

/** Returns the released document without the removed operations whose sunset has passed. */
export function withoutDueRemovals({ released, current }: Documents, today: Date): Node {
  const paths = Object.entries(asNode(released['paths'])).map(([path, item]) => {
    const present = asNode(asNode(current['paths'])[path])
    const remaining = Object.entries(asNode(item)).filter(
      ([method, operation]) => isNode(present[method]) || !isPast(operation, today),
    )
    return [path, Object.fromEntries(remaining)] as const
  })
  return { ...released, paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) }
}

/** Whether an operation is deprecated with a sunset before today. */
function isPast(operation: unknown, today: Date): boolean {
  const { deprecated, 'x-tawthiq-sunset': sunset } = asNode(operation)
  return deprecated === true && typeof sunset === 'string' && new Date(sunset) < today
}
