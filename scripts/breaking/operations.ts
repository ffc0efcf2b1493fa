import { memberOf, type Node, type Part } from './json.ts'

export const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

/** A part of the released document, and the same part of the current one */
export type Pair = Readonly<{ released: Part; current: Part }>

export type Documents = Readonly<{ released: Node; current: Node }>

export type Break = Readonly<{
  rule: string
  /** The JSON pointer to the change: in the current document, or in the released one if the part was removed */
  location: string
  message: string
  /** Where clients meet the change first, if the location is a component */
  use?: string
}>

export function pairOf(documents: Documents, { released, current }: Pair, name: string): Pair[] {
  const before = memberOf(documents.released, released, name)
  const after = memberOf(documents.current, current, name)
  return before && after ? [{ released: before, current: after }] : []
}

export function pairsIn(documents: Documents, pair: Pair): (Pair & { name: string })[] {
  return Object.keys(pair.released.node).flatMap((name) =>
    pairOf(documents, pair, name).map((member) => ({ name, ...member })),
  )
}

/** Returns each member of a member, such as the responses of an operation. */
export function membersOf(documents: Documents, pair: Pair, name: string): (Pair & { name: string })[] {
  return pairOf(documents, pair, name).flatMap((member) => pairsIn(documents, member))
}

/** Returns the operations of the paths, or those of the webhooks. */
export function sharedOperations(
  documents: Documents,
  member: 'paths' | 'webhooks' = 'paths',
): (Pair & { title: string })[] {
  const root = {
    released: { node: documents.released, pointer: '#' },
    current: { node: documents.current, pointer: '#' },
  }
  return membersOf(documents, root, member).flatMap(({ name: path, ...item }) =>
    pairsIn(documents, item)
      .filter(({ name }) => METHODS.includes(name))
      .map(({ name, ...operation }) => ({ title: `${name.toUpperCase()} ${path}`, ...operation })),
  )
}
