import { escapeName, follow, isNode, type Node, type Part } from './json.ts'
import { pairOf, pairsIn, sharedOperations, type Documents, type Pair } from './operations.ts'

const MAPS = ['properties', 'patternProperties']
const SCHEMAS = ['items', 'additionalProperties', 'propertyNames', 'contains']
const LISTS = ['oneOf', 'anyOf', 'allOf', 'prefixItems']

/** Returns every schema of a request that both documents have, each once. */
export function requestSchemas(documents: Documents): Pair[] {
  const found = new Map<string, Pair>()
  const visit = (pair: Pair): void => {
    const key = `${pair.released.pointer} ${pair.current.pointer}`
    if (found.has(key)) return
    found.set(key, pair)
    for (const child of childrenOf(documents, pair)) visit(child)
  }
  for (const operation of sharedOperations(documents)) {
    for (const schema of [...bodiesOf(documents, operation), ...parametersOf(documents, operation)]) visit(schema)
  }
  return [...found.values()]
}

function bodiesOf(documents: Documents, operation: Pair): Pair[] {
  return pairOf(documents, operation, 'requestBody')
    .flatMap((body) => pairOf(documents, body, 'content'))
    .flatMap((content) => pairsIn(documents, content))
    .flatMap((media) => pairOf(documents, media, 'schema'))
}

function parametersOf(documents: Documents, { released, current }: Pair): Pair[] {
  const before = listOf(documents.released, released, 'parameters')
  const after = listOf(documents.current, current, 'parameters')
  return before.flatMap((parameter) => {
    const same = after.find(
      ({ node }) => node['name'] === parameter.node['name'] && node['in'] === parameter.node['in'],
    )
    return same ? pairOf(documents, { released: parameter, current: same }, 'schema') : []
  })
}

function childrenOf(documents: Documents, pair: Pair): Pair[] {
  return [
    ...MAPS.flatMap((name) => pairOf(documents, pair, name)).flatMap((map) => pairsIn(documents, map)),
    ...SCHEMAS.flatMap((name) => pairOf(documents, pair, name)),
    ...LISTS.flatMap((name) => membersOf(documents, pair, name)),
  ]
}

/** Pairs the variants of a union by their component if they have one, and by their position otherwise. */
function membersOf(documents: Documents, { released, current }: Pair, name: string): Pair[] {
  const after = listOf(documents.current, current, name)
  return listOf(documents.released, released, name).flatMap((member, at) => {
    const same = after.find(({ pointer }) => pointer === member.pointer) ?? after[at]
    return same ? [{ released: member, current: same }] : []
  })
}

function listOf(document: Node, { node, pointer }: Part, name: string): Part[] {
  const list = node[name]
  if (!Array.isArray(list)) return []
  return list
    .map((member: unknown, at) => ({
      node: isNode(member) ? member : {},
      pointer: `${pointer}/${escapeName(name)}/${at}`,
    }))
    .map((member) => follow(document, member))
}
