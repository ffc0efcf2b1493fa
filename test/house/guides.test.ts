// What the guides say of the API: their operations, codes, statuses, headers, fields and media types are those of the document.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { isObject, METHODS, type Document, type Operation } from '../../scripts/generate/document/openapi.ts'

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
const configuration = readFileSync('docs/configuration.md', 'utf8')
const guides = readdirSync('docs/guides', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(`docs/guides/${name}`, 'utf8').replaceAll(/^```.*?^```/gms, '') }))

/** Headers of the protocol, which the document does not describe */
const PROTOCOL = new Set([
  'Authorization',
  'Content-Type',
  'Content-Security-Policy',
  'Content-Disposition',
  'Content-Transfer-Encoding',
  'If-None-Match',
  'Prefer',
])

/** Returns all keys and texts of the document, with the names of headers and parameters. */
function wordsOf(node: unknown, words = new Set<string>()): Set<string> {
  if (typeof node === 'string') words.add(node)
  else if (Array.isArray(node)) for (const each of node) wordsOf(each, words)
  else if (isObject(node)) {
    for (const [key, member] of Object.entries(node)) {
      words.add(key)
      wordsOf(member, words)
    }
  }
  return words
}

const words = wordsOf(document)

function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
}

void t.test('names of fields, codes, headers and variables exist', (t) => {
  for (const { name, text } of guides) {
    for (const span of codeSpans(text)) {
      const [word = ''] = /^[^:=]+/.exec(span) ?? []
      if (/^[a-z]+(?:_[a-z0-9]+)+$/.test(word)) t.ok(words.has(word), `${name}: ${span}`)
      if (/^[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+$/.test(word))
        t.ok(words.has(word) || PROTOCOL.has(word), `${name}: ${span}`)
      if (/^[A-Z]+(?:_[A-Z]+)+$/.test(word)) t.ok(configuration.includes(`\`${word}\``), `${name}: ${span}`)
    }
  }
  t.end()
})

void t.test('each error code is named with its status', (t) => {
  const statuses = document.components.schemas['ErrorCode']?.['x-tawthiq-statuses'] ?? {}
  const fieldCodes = document.components.schemas['FieldCode']?.enum ?? []
  let count = 0
  for (const { name, text } of guides) {
    for (const [, status, code = ''] of text.matchAll(/`(\d{3}) ([a-z_]+)`/g)) {
      const possible = [statuses[code], ...(fieldCodes.includes(code) ? [422] : [])]
      t.ok(possible.includes(Number(status)), `${name}: ${status} ${code}`)
      count++
    }
  }
  t.ok(count > 30)
  t.end()
})

/** Returns the operations that a text names by method and path. */
function operationsIn(text: string): Operation[] {
  return [...text.matchAll(/`([A-Z]+) (\/api\/v1\/[^`?]+)`/g)].flatMap(([, name = '', path = '']) => {
    const method = METHODS.find((each) => each === name.toLowerCase())
    return (method && document.paths[path]?.[method]) ?? []
  })
}

void t.test('a paragraph about one operation names only media types that it takes or returns', (t) => {
  let count = 0
  for (const { name, text } of guides) {
    for (const paragraph of text.split(/\n\n/)) {
      const [operation, ...others] = operationsIn(paragraph)
      if (!operation || others.length > 0) continue
      const types = Object.keys(operation.requestBody?.content ?? {})
      const returned = JSON.stringify(operation.responses['200'])
      if (/(?<!`)\bJSON\b(?! Schema|: )/.test(paragraph) && operation.requestBody) {
        t.ok(
          types.some((type) => type.endsWith('json')),
          `${name}: JSON for ${operation.operationId}`,
        )
        count++
      }
      for (const [, type = ''] of paragraph.matchAll(/`((?:application|multipart|image)\/[\w.+-]+)`/g)) {
        t.ok(types.includes(type) || returned.includes(type), `${name}: ${type} for ${operation.operationId}`)
        count++
      }
    }
  }
  t.ok(count > 3)
  t.end()
})
