// The examples of the document are what the service says.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { ERROR_STATUS } from '../../generated/errors.ts'
import { ar } from '../../src/messages/ar.ts'
import { en } from '../../src/messages/en.ts'

type Example = {
  value: {
    code: number
    message: string
    data: { errors: Record<string, string[]>; codes: Record<string, string[]> } | null
  }
}
type Media = { examples?: Record<string, Example> }
type Response = { headers?: Record<string, { schema?: { enum?: string[] } }>; content?: Record<string, Media> }
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { responses: Record<string, Response> }
}

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
const responses = [
  ...Object.entries(document.components.responses),
  ...Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).flatMap((operation) =>
      Object.entries(operation.responses).map(([status, response]) => [`${path} ${status}`, response] as const),
    ),
  ),
].filter(([, { content }]) => content)

for (const [name, { headers, content }] of responses) {
  void t.test(name, (t) => {
    for (const [language, { value }] of Object.entries(content?.['application/json']?.examples ?? {})) {
      const catalogue: Readonly<Record<string, string>> = language === 'en' ? en : ar
      t.ok(Object.values(catalogue).includes(value.message), value.message)
      for (const [field, sentences] of Object.entries(value.data?.errors ?? {})) {
        t.same(
          sentences,
          value.data?.codes[field]?.map((code) => catalogue[code]),
        )
      }
      const words = headers?.['Error-Code']?.schema?.enum ?? []
      for (const word of words) t.equal(ERROR_STATUS[word as keyof typeof ERROR_STATUS], value.code, word)
    }
    t.end()
  })
}

void t.test('both languages have the same values in the same sentences', (t) => {
  const placeholders = (sentence: string): string[] => [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
  for (const key of Object.keys(en) as (keyof typeof en)[]) t.same(placeholders(ar[key]), placeholders(en[key]), key)
  t.end()
})
