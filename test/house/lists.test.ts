// Every operation that returns a list has the same payload: `items` and `next_cursor`.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'

type Schema = { properties?: Record<string, Schema & { $ref?: string }>; required?: string[]; type?: unknown }
type Parameter = { $ref?: string; name?: string }

/** Several lists by name, a JWK Set as RFC 7517 defines it, factors of several kinds, and codes beside which nothing is listed */
const OTHER_SHAPES = ['listLookups', 'getJwks', 'getFactors', 'renewRecoveryCodes']

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string; parameters: Parameter[] }>>
  components: { schemas: Record<string, Schema> }
}
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

function readData(id: string): Schema {
  const response = `${id.charAt(0).toUpperCase()}${id.slice(1)}Response`
  const data = document.components.schemas[response]?.properties?.['data']
  return document.components.schemas[data?.$ref?.split('/').at(-1) ?? ''] ?? {}
}

/** Returns whether a payload has at most three members, one of which is an array. */
function isListLike({ properties = {} }: Schema): boolean {
  const resolved = Object.values(properties).map(({ $ref, ...schema }) => {
    return $ref === undefined ? schema : document.components.schemas[$ref.split('/').at(-1) ?? '']
  })
  return resolved.length <= 3 && resolved.some((schema) => schema?.type === 'array')
}

const lists = Object.keys(bindings).filter((id) => /^(list|adminList)[A-Z]/.test(id) || isListLike(readData(id)))

void t.test('returns every list as items and next_cursor', (t) => {
  t.ok(lists.length >= 15, lists.join(', '))
  for (const id of lists.filter((id) => !OTHER_SHAPES.includes(id))) {
    const { properties = {}, required } = readData(id)
    t.same(Object.keys(properties), ['items', 'next_cursor'], id)
    t.same(required, ['items', 'next_cursor'], id)
    t.same(properties['next_cursor']?.type, ['string', 'null'], id)
  }
  t.end()
})

void t.test('takes a cursor only in operations that return a list', (t) => {
  const isCursor = ({ $ref, name }: Parameter): boolean => name === 'cursor' || $ref?.endsWith('/Cursor') === true
  const paged = operations.filter(({ parameters }) => parameters.some(isCursor))
  t.ok(paged.length >= 3)
  t.same(
    paged.filter(({ operationId }) => !lists.includes(operationId)),
    [],
  )
  t.end()
})
