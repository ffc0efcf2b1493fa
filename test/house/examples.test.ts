// The examples of the published document.
import { readFileSync } from 'node:fs'
import t from 'tap'

const FILE = new URL('../../../generated/openapi.json', import.meta.url)
const document: unknown = JSON.parse(readFileSync(FILE, 'utf8'))

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
