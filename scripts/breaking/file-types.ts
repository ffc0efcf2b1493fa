import { asNode, isNode, type Node } from './json.ts'
import { membersOf, pairOf, sharedOperations, type Break, type Documents, type Pair } from './operations.ts'

/** Returns the fields of forms that accept fewer media types than before, or another encoding. */
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
    return [...narrowed(field, location, before, after), ...restyled(field, location, before, after)]
  })
}

function narrowed(field: string, location: string, before: Node, after: Node): Break[] {
  const accepted = typesOf(after)
  const removed = typesOf(before).filter((type) => accepted.length > 0 && !accepted.includes(type))
  if (removed.length === 0) return []
  const message = `The field \`${field}\` no longer accepts ${removed.map((type) => `\`${type}\``).join(', ')}.`
  return [{ rule: 'file-type-removed', location, message }]
}

function restyled(field: string, location: string, before: Node, after: Node): Break[] {
  const isSame = ['style', 'explode'].every((name) => before[name] === after[name])
  return isSame ? [] : [{ rule: 'encoding-changed', location, message: `The encoding of \`${field}\` changed.` }]
}

function typesOf({ contentType }: Node): string[] {
  return typeof contentType === 'string' ? contentType.split(',').map((type) => type.trim()) : []
}
