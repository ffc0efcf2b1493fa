import { asNode, escapeName, follow, type Node, type Part } from './json.ts'
import { membersOf, pairOf, sharedOperations, type Documents, type Pair } from './operations.ts'

const MAPS = ['properties', 'patternProperties']
const SCHEMAS = ['items', 'additionalProperties', 'propertyNames', 'contains']
const LISTS = ['oneOf', 'anyOf', 'allOf', 'prefixItems']

/** Returns every schema of a request that both documents have, each once. */
export function requestSchemas(documents: Documents): Pair[] {
  const operations = sharedOperations(documents)
  const roots = operations.flatMap((each) => [...bodiesOf(documents, each), ...parametersOf(documents, each)])
  return listSchemas(documents, roots)
}

export function responseSchemas(documents: Documents): Pair[] {
  const responses = sharedOperations(documents)
    .flatMap((operation) => membersOf(documents, operation, 'responses'))
    .flatMap((response) => contentOf(documents, response))
  const webhooks = sharedOperations(documents, 'webhooks').flatMap((webhook) => bodiesOf(documents, webhook))
  return listSchemas(documents, [...responses, ...webhooks])
}

function listSchemas(documents: Documents, roots: readonly Pair[]): Pair[] {
  const found = new Map<string, Pair>()
  const visit = (pair: Pair): void => {
    const key = `${pair.released.pointer} ${pair.current.pointer}`
    if (found.has(key)) return
    found.set(key, pair)
    MAPS.flatMap((name) => membersOf(documents, pair, name)).forEach(visit)
    SCHEMAS.flatMap((name) => pairOf(documents, pair, name)).forEach(visit)
    LISTS.flatMap((name) => variantsOf(documents, pair, name)).forEach(visit)
  }
  roots.forEach(visit)
  return [...found.values()]
}

function bodiesOf(documents: Documents, operation: Pair): Pair[] {
  return pairOf(documents, operation, 'requestBody').flatMap((body) => contentOf(documents, body))
}

function contentOf(documents: Documents, body: Pair): Pair[] {
  return membersOf(documents, body, 'content').flatMap((media) => pairOf(documents, media, 'schema'))
}

function parametersOf(documents: Documents, { released, current }: Pair): Pair[] {
  const before = listOf(documents.released, released, 'parameters')
  const after = listOf(documents.current, current, 'parameters')
  return before.flatMap((parameter) => {
    const same = after.find(({ node }) => ['name', 'in'].every((key) => node[key] === parameter.node[key]))
    return same ? pairOf(documents, { released: parameter, current: same }, 'schema') : []
  })
}

/** Pairs the variants of a union by their component if both have one, and by their position otherwise. */
function variantsOf(documents: Documents, { released, current }: Pair, name: string): Pair[] {
  const before = listOf(documents.released, released, name)
  const after = listOf(documents.current, current, name)
  return before.flatMap((member, at) => {
    const isNew = before.every(({ pointer }) => pointer !== after[at]?.pointer)
    const same = after.find(({ pointer }) => pointer === member.pointer) ?? (isNew ? after[at] : undefined)
    return same ? [{ released: member, current: same }] : []
  })
}

function listOf(document: Node, { node, pointer }: Part, name: string): Part[] {
  const list = node[name]
  if (!Array.isArray(list)) return []
  return list.map((member: unknown, at) =>
    follow(document, { node: asNode(member), pointer: `${pointer}/${escapeName(name)}/${at}` }),
  )
}
