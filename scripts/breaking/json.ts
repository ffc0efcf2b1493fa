// Access to documents of OpenAPI and their parts, whatever their version.
import { readFile } from 'node:fs/promises'

export const DOCUMENT = 'generated/openapi.json'
/** The document of the last release, which only the release script writes */
export const BASELINE = 'openapi/released/v1.json'
export const ACCEPTED = 'openapi/released/accepted.yaml'

export async function readJson(path: string): Promise<Node | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Node
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export type Node = Readonly<Record<string, unknown>>

export type Part = Readonly<{ node: Node; pointer: string }>

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asNode(value: unknown): Node {
  return isNode(value) ? value : {}
}

/** Returns a member of a part, with references followed; undefined if it is missing. */
export function memberOf(document: Node, { node, pointer }: Part, name: string): Part | undefined {
  const value = node[name]
  return isNode(value) ? follow(document, { node: value, pointer: `${pointer}/${escapeName(name)}` }) : undefined
}

/** Returns the target of a reference, overridden by the keywords beside the reference. */
export function follow(document: Node, part: Part): Part {
  const { $ref, ...siblings } = part.node
  if (typeof $ref !== 'string') return part
  const target = follow(document, { node: nodeAt(document, $ref), pointer: $ref })
  return { node: { ...target.node, ...siblings }, pointer: target.pointer }
}

export function nodeAt(document: Node, $ref: string): Node {
  const names = $ref.split('/').slice(1).map(unescapeName)
  const target = names.reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), document)
  if (!isNode(target)) throw new Error(`the document has nothing at ${$ref}`)
  return target
}

export function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function unescapeName(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}
