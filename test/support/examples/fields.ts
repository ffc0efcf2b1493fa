// The fields that a schema of an OpenAPI document describes, whatever the version of the document.

export type Node = Readonly<Record<string, unknown>> & { $ref?: string }

export type Operation = Node & {
  operationId: string
  parameters?: Node[]
  requestBody?: Node
  responses: Record<string, Node>
}

export type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Node>>
}

type Field = { type: string; required: boolean }

/** Follows a reference, or returns the node itself. */
export function resolve(document: Document, node: Node): Node {
  if (node.$ref === undefined) return node
  const [kind = '', name = ''] = node.$ref.split('/').slice(-2)
  return resolve(document, document.components[kind]?.[name] ?? {})
}

/**
 * Returns the fields of a schema by path, such as `user.languages[]`, with their types: `integer`, `string?` if the field
 * is optional, `string|null` if it is nullable. A field of a union is required if all variants require it.
 */
export function listFields(document: Document, schema: Node): Record<string, string> {
  const fields = fieldsIn(document, schema, '')
  const described = Object.entries(fields).map(([path, { type, required }]) => [path, type + (required ? '' : '?')])
  return Object.fromEntries(described.sort()) as Record<string, string>
}

function fieldsIn(document: Document, schema: Node, path: string): Record<string, Field> {
  const node = resolve(document, schema)
  const variants = [node['oneOf'], node['anyOf'], node['allOf']].flatMap((each) => (each ?? []) as Node[])
  const own = variants.filter((variant) => variant['type'] !== 'null')
  const isNull = node['nullable'] === true || own.length < variants.length
  const parts = own.length > 0 ? mergeVariants(own.map((each) => fieldsIn(document, each, path))) : {}
  const type = typeIn(node, isNull, parts[path]?.type)
  const items = node['items'] ? fieldsIn(document, node['items'] as Node, `${path}[]`) : {}
  const values = node['additionalProperties'] as Node | boolean | undefined
  const map = typeof values === 'object' ? fieldsIn(document, values, `${path}.*`) : {}
  return { ...parts, ...properties(document, node, path), ...items, ...map, [path]: { type, required: true } }
}

function typeIn(node: Node, isNull: boolean, inherited = 'object'): string {
  const types = [node['type'] ?? inherited.split('|')].flat().map(String)
  const others = types.filter((type) => type !== 'null')
  const named = others.length === 1 ? others.join() : 'object' // OpenAPI 3.0 cannot name several types
  return isNull || types.includes('null') ? `${named}|null` : named
}

function properties(document: Document, node: Node, path: string): Record<string, Field> {
  const required = (node['required'] ?? []) as string[]
  const fields = Object.entries((node['properties'] ?? {}) as Record<string, Node>).map(([name, property]) => {
    const place = path ? `${path}.${name}` : name
    const found = fieldsIn(document, property, place)
    return { ...found, [place]: { type: found[place]?.type ?? '', required: required.includes(name) } }
  })
  return Object.assign({}, ...fields) as Record<string, Field>
}

function mergeVariants(variants: Record<string, Field>[]): Record<string, Field> {
  const paths = new Set(variants.flatMap((variant) => Object.keys(variant)))
  const merged = [...paths].map((path) => {
    const parent = path.replace(/(?:\[\]|\.?[^.[\]]+)$/, '')
    const within = variants.filter((variant) => parent in variant)
    const found = variants.flatMap((variant) => variant[path] ?? [])
    const required = within.every((variant) => variant[path]?.required)
    const types = [...new Set(found.flatMap(({ type }) => type.split('|')))]
    return [path, { type: types.join('|'), required }] as const
  })
  return Object.fromEntries(merged)
}
