// A changed condition in a request: `if`, `not` and what depends on a field. The diff does not judge these.
import { asNode, escapeName, follow, isNode, type Node, type Part } from './json.ts'
import type { Break, Documents, Pair } from './operations.ts'
import { requestSchemas } from './schemas.ts'

/** Keywords that no value has to satisfy */
const ANNOTATIONS = /^(title|description|examples?|default|deprecated|\$comment|x-.*)$/
/** If it is true, it accepts everything. */
const OPEN = 'unevaluatedProperties'
const BY_FIELD = ['dependentSchemas', 'dependentRequired']

/** Returns the conditions of requests that the current document adds or changes. Removed ones accept more than before. */
export function changedConditions(documents: Documents): Break[] {
  return requestSchemas(documents).flatMap((pair) => changesIn(documents, pair))
}

function changesIn(documents: Documents, { released, current }: Pair): Break[] {
  const before = conditionsIn(documents.released, released)
  const known = new Set(before.values())
  return [...conditionsIn(documents.current, current)]
    .filter(([place, condition]) => !known.has(condition) && !isAboutNewField(released, place))
    .map(([place]) => ({
      rule: 'condition-changed',
      location: `${current.pointer}/${place}`,
      message: before.has(place)
        ? `The condition \`${place}\` of the request changed.`
        : `The condition \`${place}\` was added to the request.`,
    }))
}

/** A field that the released document does not have is sent by no client. */
function isAboutNewField({ node }: Part, place: string): boolean {
  const [keyword = '', field = ''] = place.split('/')
  return BY_FIELD.includes(keyword) && isNode(node['properties']) && !(field in node['properties'])
}

/** Returns conditions by the place where they are written. */
function conditionsIn(document: Node, { node }: Part): Map<string, string> {
  const found = new Map<string, string>()
  const { if: condition, then, else: otherwise, not, allOf } = node
  if (condition !== undefined) found.set('if', canonical(document, { if: condition, then, else: otherwise }))
  if (not !== undefined) found.set('not', canonical(document, { not }))
  for (const keyword of BY_FIELD) {
    for (const [field, schema] of Object.entries(asNode(node[keyword])))
      found.set(`${keyword}/${escapeName(field)}`, canonical(document, { [field]: schema }))
  }
  for (const [at, member] of (Array.isArray(allOf) ? (allOf as unknown[]) : []).entries()) {
    if (isNode(member) && 'if' in member) found.set(`allOf/${at}`, canonical(document, member))
  }
  return found
}

/** Returns a text that is the same for two conditions that differ only in order, names of components and annotations. */
function canonical(document: Node, value: unknown, above: readonly string[] = []): string {
  if (Array.isArray(value)) {
    const members = value.map((member) => canonical(document, member, above))
    return `[${members.sort().join(',')}]`
  }
  if (!isNode(value)) return JSON.stringify(value)
  const { $ref } = value
  if (typeof $ref === 'string' && above.includes($ref)) return JSON.stringify($ref)
  const { node } = follow(document, { node: value, pointer: '' })
  const within = typeof $ref === 'string' ? [...above, $ref] : above
  const members = Object.entries(node)
    .filter(([name, member]) => member !== undefined && !ANNOTATIONS.test(name) && !(member === true && name === OPEN))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(document, member, within)}`)
  return `{${members.sort().join(',')}}`
}
