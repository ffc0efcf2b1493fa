// The fields and media types of requests, compared as sets: an object accepts the names that it lists, or any name if it is open.
import { asNode, escapeName, isNode, type Node } from './json.ts'
import { membersOf, pairOf, sharedOperations, type Break, type Documents, type Pair } from './operations.ts'
import { requestSchemas } from './schemas.ts'

const NAMES = /^\^\(\?:([\w|-]+)\)\$$/

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

export function narrowedFileTypes(documents: Documents): Break[] {
  return sharedOperations(documents).flatMap(({ title, ...operation }) =>
    pairOf(documents, operation, 'requestBody')
      .flatMap((body) => membersOf(documents, body, 'content'))
      .flatMap((media) => changesIn(media).map((found) => ({ ...found, use: `request of ${title}` }))),
  )
}

function changesIn({ released, current }: Pair): Break[] {
  const encodings = asNode(released.node['encoding'])
  return Object.entries(asNode(current.node['encoding'])).flatMap(([field, after]) => {
    const before = encodings[field]
    if (!isNode(before) || !isNode(after)) return []
    const location = `${current.pointer}/encoding/${field}`
    const accepted = typesOf(after)
    const removed = typesOf(before).filter((type) => accepted.length > 0 && !accepted.includes(type))
    const narrowed = `The field \`${field}\` no longer accepts ${removed.map((type) => `\`${type}\``).join(', ')}.`
    const isSame = ['style', 'explode'].every((name) => before[name] === after[name])
    return [
      ...(removed.length > 0 ? [{ rule: 'file-type-removed', location, message: narrowed }] : []),
      ...(isSame ? [] : [{ rule: 'encoding-changed', location, message: `The encoding of \`${field}\` changed.` }]),
    ]
  })
}

function typesOf({ contentType }: Node): string[] {
  return typeof contentType === 'string' ? contentType.split(',').map((type) => type.trim()) : []
}
