// The schemas of the published document.
import { readFileSync } from 'node:fs'
import t from 'tap'

type Node = Readonly<Record<string, unknown>>
type Document = {
  paths: Record<string, Record<string, { requestBody?: Node; responses: Node }>>
  webhooks: Node
  components: Record<string, Node>
}

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

/** Returns all objects in a node and in what it refers to, without values of examples. */
function nodesIn(node: unknown, seen = new Set<unknown>()): Node[] {
  if (typeof node !== 'object' || node === null || seen.has(node)) return []
  seen.add(node)
  const { $ref, examples: _, ...members } = node as Node
  const target = typeof $ref === 'string' ? lookUp($ref) : undefined
  return [node as Node, ...[...Object.values(members), target].flatMap((member) => nodesIn(member, seen))]
}

function lookUp(pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((node, name) => (node as Node)[name], document)
}

const isObject = ({ type, properties }: Node): boolean => type === 'object' && properties !== undefined
/** A form that ignores fields is closed by the names that it accepts. */
const isClosed = ({ additionalProperties, propertyNames, description }: Node): boolean =>
  additionalProperties === false ||
  (typeof description === 'string' && description.toLowerCase().includes('unknown members are ignored')) ||
  /^\^\(\?:.*\)\$$/.test((propertyNames as { pattern?: string } | undefined)?.pattern ?? '')
const requests = nodesIn(operations.map(({ requestBody }) => requestBody))
const responses = nodesIn([operations.map(({ responses }) => responses), document.webhooks])

void t.test('requests are closed', (t) => {
  const objects = requests.filter(isObject)
  t.ok(objects.length > 15)
  t.same(
    objects.filter((node) => !isClosed(node)),
    [],
  )
  t.end()
})

void t.test('responses and webhooks are open', (t) => {
  t.ok(responses.filter(isObject).length > 80)
  t.same(
    responses.filter((node) => node['additionalProperties'] === false || node['unevaluatedProperties'] === false),
    [],
  )
  t.end()
})

void t.test('a union of objects has the type object beside it', (t) => {
  const unions = [...requests, ...responses].filter(({ discriminator }) => discriminator)
  t.ok(unions.length > 5)
  t.same(
    unions.filter(({ type }) => type !== 'object'),
    [],
  )
  t.end()
})

void t.test('enums have neither bounds nor null', (t) => {
  const enums = [...requests, ...responses].filter((node) => Array.isArray(node['enum']))
  t.ok(enums.length > 50)
  const hasBounds = (node: Node): boolean => 'minimum' in node || 'maximum' in node
  t.same(
    enums.filter((node) => hasBounds(node) || (node['enum'] as unknown[]).includes(null)),
    [],
  )
  t.end()
})
