// The extensions of the document and its sources: extensions.ts describes all of them, and docs/extensions.md the published ones.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { PUBLISHED, SOURCE_ONLY } from '../../scripts/generate/document/extensions.ts'

const PREFIX = 'x-tawthiq-'
/** Extensions that other tools define */
const OTHERS = ['x-codeSamples', 'x-enumDescriptions', 'x-internal', 'x-tagGroups']

const rows = [...readFileSync('docs/extensions.md', 'utf8').matchAll(/^\| `(x-[\w-]+)`\s*\| \w+\s*\| .+\.\s*\|$/gm)]

/** Extensions of deprecated operations: the document does not always have any */
const OF_DEPRECATIONS = ['x-tawthiq-deprecated-since', 'x-tawthiq-sunset']

/** Members with values that the document only shows */
const VALUES = ['value', 'examples']

/** Returns the names of the extensions in a node, including those inside others. Properties of schemas are none. */
function extensionsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const nested = Object.entries(node).flatMap(([key, member]) => {
    if (VALUES.includes(key)) return []
    return key === 'properties' ? Object.values(member as object).flatMap(extensionsIn) : extensionsIn(member)
  })
  return [...Object.keys(node).filter((key) => key.startsWith('x-')), ...nested]
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !OTHERS.includes(name)).sort()
}

const paths = readdirSync('openapi', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))
const sources = paths.flatMap((path) => extensionsIn(parse(readFileSync(`openapi/${path}`, 'utf8'))))
const published = sorted(extensionsIn(JSON.parse(readFileSync('generated/openapi.json', 'utf8'))))

void t.test('extensions.ts lists every extension of the sources and of the document', (t) => {
  const listed = [PUBLISHED, SOURCE_ONLY].flatMap(Object.values<object>).flatMap(Object.keys)
  t.same(sorted(listed), sorted([...sources, ...published, ...OF_DEPRECATIONS]))
  t.same(sorted([...sources, ...published].filter((name) => !name.startsWith(PREFIX))), ['x-personal-data'])
  t.end()
})

void t.test('docs/extensions.md lists the extensions of the document', (t) => {
  t.same(sorted(rows.map(([, name = '']) => name)), sorted([...published, ...OF_DEPRECATIONS]))
  t.end()
})
