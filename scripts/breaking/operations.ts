import { memberOf, type Node, type Part } from './json.ts'

export const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

/** A part of the released document, and the same part of the current one */
export type Pair = Readonly<{ released: Part; current: Part }>

/** The two documents that are compared */
export type Documents = Readonly<{ released: Node; current: Node }>

/** A change that can break a client */
export type Break = Readonly<{
  rule: string
  /** The JSON pointer to the change: in the current document, or in the released one if the part was removed */
  location: string
  message: string
  /** Where clients meet the change first, if the location is a component */
  use?: string
}>

/** Returns the members of a pair that both documents have. */
export function pairOf(documents: Documents, { released, current }: Pair, name: string): Pair[] {
  const before = memberOf(documents.released, released, name)
  const after = memberOf(documents.current, current, name)
  return before && after ? [{ released: before, current: after }] : []
}

/** Returns each member of a pair that both documents have, with its name. */
export function pairsIn(documents: Documents, pair: Pair): (Pair & { name: string })[] {
  return Object.keys(pair.released.node).flatMap((name) =>
    pairOf(documents, pair, name).map((member) => ({ name, ...member })),
  )
}

/** Returns the operations that both documents have. */
export function sharedOperations(documents: Documents): Named[] {
  return sharedIn(documents, 'paths')
}

/** Returns the webhooks that both documents have. */
export function sharedWebhooks(documents: Documents): Named[] {
  return sharedIn(documents, 'webhooks')
}

type Named = Pair & Readonly<{ title: string }>

function sharedIn(documents: Documents, member: 'paths' | 'webhooks'): Named[] {
  const root = {
    released: { node: documents.released, pointer: '#' },
    current: { node: documents.current, pointer: '#' },
  }
  return pairOf(documents, root, member)
    .flatMap((paths) => pairsIn(documents, paths))
    .flatMap(({ name: path, ...item }) =>
      pairsIn(documents, item)
        .filter(({ name }) => METHODS.includes(name))
        .map(({ name, ...operation }) => ({ title: `${name.toUpperCase()} ${path}`, ...operation })),
    )
}
