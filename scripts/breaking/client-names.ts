// The names that generated clients make classes and types of: tags and components.
import { unescapeName, type Node, type Part } from './json.ts'
import { sharedOperations, type Break, type Documents, type Pair } from './operations.ts'
import { requestSchemas, responseSchemas } from './schemas.ts'

const COMPONENT = /^#\/components\/schemas\/([^/]+)$/
const TYPES = ['enum', 'oneOf', 'anyOf', 'properties']

/** Returns the operations that left a tag, and the types that have another name. */
export function changedNames(documents: Documents): Break[] {
  const schemas = [...requestSchemas(documents), ...responseSchemas(documents)]
  return [...sharedOperations(documents).flatMap(changedTags), ...schemas.flatMap(renamedComponent)]
}

/** Generators name the class of an operation after its first tag, or add it to one class for each tag. */
function changedTags({ title, released, current }: Pair & { title: string }): Break[] {
  const [before, after] = [tagsOf(released.node), tagsOf(current.node)]
  if (before[0] === after[0] && before.every((tag) => after.includes(tag))) return []
  const message = `The tags of the operation changed from ${before.join(', ')} to ${after.join(', ')}.`
  return [{ rule: 'tag-changed', location: `${current.pointer}/tags`, message, use: title }]
}

function renamedComponent({ released, current }: Pair): Break[] {
  const before = componentOf(released)
  const after = componentOf(current)
  if (before === undefined || before === after) return []
  const message = `The type \`${before}\` is ${after === undefined ? 'unnamed' : `named \`${after}\``} now.`
  return [{ rule: 'component-renamed', location: released.pointer, message }]
}

/** Returns the name of a component that generated clients have a type for. */
function componentOf({ node, pointer }: Part): string | undefined {
  const name = COMPONENT.exec(pointer)?.[1]
  return name !== undefined && TYPES.some((keyword) => keyword in node) ? unescapeName(name) : undefined
}

function tagsOf({ tags }: Node): string[] {
  return Array.isArray(tags) ? tags.map(String) : []
}
