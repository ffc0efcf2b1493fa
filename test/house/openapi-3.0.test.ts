// The OpenAPI 3.0 edition describes what the published 3.1 document describes, in the constructs of OpenAPI 3.0.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { listFields, resolve, type Document, type Node, type Operation } from '../support/examples/fields.ts'

const published = read('openapi.json')
const derived = read('openapi-3.0.json')

function read(name: string): Document {
  return JSON.parse(readFileSync(`generated/${name}`, 'utf8')) as Document
}

function operationsIn(document: Document): Map<string, Operation> {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )
  return new Map(all)
}

/** Signed operations are for other systems than clients. */
const operations = new Map(
  [...operationsIn(published)].filter(([, { security = [] }]) => !JSON.stringify(security).includes('Signature')),
)

/** The fields of a request body: of its form if it has one, of its JSON otherwise */
function bodyFields(document: Document, { requestBody }: Operation): Record<string, string> {
  const { content = {} } = requestBody ? resolve(document, requestBody) : {}
  const [media] = Object.values(content as Record<string, { schema: Node }>)
  return media ? listFields(document, media.schema) : {}
}

function responseFields(document: Document, { responses }: Operation): object {
  const entries = Object.entries(responses).map(([status, response]) => {
    const { content = {}, headers = {} } = resolve(document, response)
    const media = Object.entries(content as Record<string, { schema: Node }>)
    const fields = media.map(([type, { schema }]) => [type, listFields(document, schema)] as const)
    return [status, { headers: Object.keys(headers as object), content: Object.fromEntries(fields) }] as const
  })
  return Object.fromEntries(entries)
}

function parameterFields(document: Document, { parameters = [] }: Operation): unknown {
  return parameters.map((given) => {
    const { name, in: place, required = false, schema } = resolve(document, given)
    return [name, place, required, listFields(document, schema as Node)]
  })
}

/** The keys that OpenAPI 3.0 does not have or that generators cannot read, with their places */
function findForbidden(node: unknown, place = ''): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (['example', 'value', 'default'].includes(key)) return []
    const isName = /\/(?:properties|headers|schemas)$/.test(place)
    const found = !isName && isForbidden(key, value) ? [`${place}/${key}`] : []
    return [...found, ...findForbidden(value, `${place}/${key}`)]
  })
}

const NEWER =
  /^(?:x-.*|webhooks|const|if|then|else|not|dependent.*|unevaluated.*|content(?:Schema|MediaType|Encoding)|propertyNames|patternProperties|prefixItems|\$(?!ref).*|uniqueItems|discriminator)$/

function isForbidden(key: string, value: unknown): boolean {
  if (key === 'type') return Array.isArray(value) || value === 'null'
  if (key === 'examples') return Array.isArray(value)
  if (key === 'enum') return Array.isArray(value) && value.includes(null)
  if (key === 'additionalProperties') return value === false
  return NEWER.test(key)
}

void t.test('describes the same operations, parameters and responses', (t) => {
  t.equal(derived.openapi, '3.0.3')
  const others = operationsIn(derived)
  t.same([...others.keys()], [...operations.keys()])
  for (const [name, operation] of operations) {
    const other = others.get(name) ?? operation
    t.not(other, operation, `${name} is described`)
    t.equal(other.operationId, operation.operationId)
    t.same(other['security'], operation['security'], name)
    t.same(parameterFields(derived, other), parameterFields(published, operation), `parameters of ${name}`)
    t.same(responseFields(derived, other), responseFields(published, operation), `responses of ${name}`)
  }
  t.end()
})

void t.test('describes the same body fields, with lists, maps and decimals of forms with files as text', (t) => {
  for (const [name, operation] of operationsIn(derived)) {
    const { requestBody } = operation
    const types = Object.keys(requestBody?.['content'] ?? {})
    if (requestBody) t.equal(types.length, 1, `${name} has one media type`)
    const source = operations.get(name) ?? operation
    const expected = Object.entries(bodyFields(published, source))
    const given = bodyFields(derived, operation)
    const isForm = types[0] === 'multipart/form-data'
    const visible = isForm ? expected.filter(([field]) => !/[.[]/.test(field)) : expected
    const asText = ([field, type]: [string, string]): [string, string] => [
      field,
      isForm && field !== '' ? type.replace(/^(?:array|object|number)\b/, 'string') : type,
    ]
    t.same(given, Object.fromEntries(visible.map(asText)), name)
  }
  t.end()
})

void t.test('uses no keyword that OpenAPI 3.0 does not have, and no construct that breaks generators', (t) => {
  t.same(findForbidden(derived), [])
  t.not(findForbidden(published).length, 0)
  t.end()
})
