// The examples of the published document.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { schemaViolations } from '../support/service/responses.ts'

const FILE = new URL('../../../generated/openapi.json', import.meta.url)
type Document = {
  paths: Record<string, Record<string, { responses: object }>>
  'x-tawthiq-of-any-path': object
  components: { schemas: Record<'ErrorCode' | 'FieldCode', { enum: string[] }>; responses: object }
}
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document

/** Returns the names of all named examples, each with its place. */
function exampleNames(node: unknown, path = ''): { path: string; name: string }[] {
  if (typeof node !== 'object' || node === null) return []
  const { examples } = node as { examples?: object }
  const named = examples === undefined || Array.isArray(examples) ? [] : Object.keys(examples)
  const nested = Object.entries(node).flatMap(([key, member]) => exampleNames(member, `${path}/${key}`))
  return [...named.map((name) => ({ path, name })), ...nested]
}

void t.test('names examples after their case and their language', (t) => {
  const names = exampleNames(document)
  const wrong = names.filter(({ name }) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*_(ar|en)$/.test(name))
  t.ok(names.length > 200)
  t.same(wrong, [])
  t.end()
})

type Failure = { status: boolean; code: number; message: string; data: { codes: Record<string, string[]> } | null }

/** Returns the values of the examples of error responses, each with the code that its response declares for it. */
function failures(node: unknown): { codes: string[]; value: Failure }[] {
  if (typeof node !== 'object' || node === null) return []
  const { headers, content } = node as {
    headers?: Record<string, { schema?: { enum?: string[] } }>
    content?: Record<string, { examples?: Record<string, { value: Failure }> }>
  }
  const codes = headers?.['Error-Code']?.schema?.enum
  const examples = codes ? Object.entries(content?.['application/json']?.examples ?? {}) : []
  const own = examples.map(([name, { value }]) => {
    return { codes: value.code === 422 ? ['invalid_data'] : [name.replace(/_(ar|en)$/, '')], value }
  })
  return [...own, ...Object.values(node).flatMap(failures)]
}

void t.test('shows every error code and every field code in an example of a response', (t) => {
  const { ErrorCode, FieldCode } = document.components.schemas
  const shown = failures(document)
  const errorCodes = new Set(shown.flatMap(({ codes }) => codes))
  const fieldCodes = new Set(shown.flatMap(({ value }) => Object.values(value.data?.codes ?? {}).flat()))
  t.same(
    ErrorCode.enum.filter((code) => !errorCodes.has(code)),
    [],
  )
  t.same(
    FieldCode.enum.filter((code) => !fieldCodes.has(code)),
    [],
  )
  t.end()
})

type Media = { schema: { $ref: string }; examples: Record<string, { value: unknown }> }

/** Returns the JSON contents of responses in a node. */
function contents(node: unknown): Media[] {
  if (typeof node !== 'object' || node === null) return []
  const { content, ...members } = node as { content?: Record<string, Media> }
  const json = content?.['application/json']
  return [...(json && 'description' in members ? [json] : []), ...Object.values(members).flatMap(contents)]
}

void t.test('examples of responses have exactly the members that the document lists', async (t) => {
  const { components, paths, 'x-tawthiq-of-any-path': others } = document
  const responses = Object.values(paths).flatMap((item) => Object.values(item).map((operation) => operation.responses))
  const media = contents([components.responses, responses, others])
  t.ok(media.length > 90)
  for (const { schema, examples } of media) {
    const name = schema.$ref.split('/').at(-1) as Parameters<typeof schemaViolations>[0]
    for (const [example, { value }] of Object.entries(examples))
      t.same(await schemaViolations(name, value), [], `${name} ${example}`)
  }
})
