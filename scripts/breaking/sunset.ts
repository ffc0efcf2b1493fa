import { isNode, type Node } from './json.ts'
import type { Documents } from './operations.ts'

/** Returns the released document without the removed operations whose sunset has passed. */
export function withoutDueRemovals({ released, current }: Documents, today: Date): Node {
  const paths = Object.entries(isNode(released['paths']) ? released['paths'] : {}).map(([path, item]) => {
    const members = Object.entries(isNode(item) ? item : {})
    const remaining = members.filter(
      ([method, operation]) => findOperation(current, path, method) ?? !isPast(operation, today),
    )
    return [path, Object.fromEntries(remaining)] as const
  })
  return { ...released, paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) }
}

/** Whether an operation is deprecated with a sunset before today. */
function isPast(operation: unknown, today: Date): boolean {
  const { deprecated, 'x-tawthiq-sunset': sunset } = isNode(operation) ? operation : {}
  return deprecated === true && typeof sunset === 'string' && new Date(sunset) < today
}

/** Returns an operation of a document; undefined if it has none. */
function findOperation(document: Node, path: string, method: string): Node | undefined {
  const { paths } = document
  const item = isNode(paths) ? paths[path] : undefined
  const operation = isNode(item) ? item[method] : undefined
  return isNode(operation) ? operation : undefined
}
