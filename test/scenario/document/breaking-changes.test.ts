// The gate judges changes of the document rightly.
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { stringify } from 'yaml'
import type { Break } from '../../../scripts/breaking/operations.ts'
import { formatReport, readAccepted, separate } from '../../../scripts/breaking/gate.ts'
import { judge, withoutDueRemovals } from '../../../scripts/breaking/judge.ts'
import { readJson, type Node } from '../../../scripts/breaking/json.ts'
import { BREAKING } from '../../support/breaking/breaking-plants.ts'
import { COMPATIBLE } from '../../support/breaking/compatible-plants.ts'
import { applyEdits, type Plant } from '../../support/breaking/plant.ts'
import { publish, readDocument } from '../../../scripts/generate/document/document.ts'

type Editable = { paths: Record<string, Record<string, object>> }

const released = (await readJson('generated/openapi.json')) ?? {}
const PLANTS = [...BREAKING, ...COMPATIBLE]
/** One comparison serves all plants, which concern different parts. With EACH_PLANT, each has one of its own. */
const RUNS = process.env['EACH_PLANT'] === undefined ? [PLANTS] : PLANTS.map((plant) => [plant])

function changed(change: (document: Editable) => void): Node {
  const document = structuredClone(released)
  change(document as Editable)
  return document
}

/** Properties that are planted have no category. */
const NO_CATEGORIES = stringify({
  head: { ar: '', en: '' },
  purposes: {},
  categories: {},
  impersonal: ['.+'],
  containers: [],
})

/** Generates the document from changed sources, and returns the breaks that the gate finds in it. */
async function findBreaks(plants: readonly Plant[], folder: string): Promise<string[]> {
  await cp('openapi', folder, { recursive: true })
  await writeFile(join(folder, 'personal-data.yaml'), NO_CATEGORIES)
  await applyEdits(
    folder,
    plants.flatMap(({ edits }) => edits),
  )
  const current = publish((await readDocument(folder)).document) as unknown as Node
  const { breaks } = await judge({ released, current }, new Date())
  return breaks.map(({ rule, location }) => `${rule} ${location}`)
}

void t.test('finds the breaks of each changed source, and nothing else', async (t) => {
  for (const plants of RUNS) {
    const found = new Set(await findBreaks(plants, join(t.testdir(), 'openapi')))
    for (const { title, breaks } of plants) {
      for (const each of breaks) t.ok(found.delete(each), `finds ${title}: ${each}`)
    }
    t.same([...found], [], 'finds nothing else')
  }
})

void t.test('has an example of each line of the guide Versioning', (t) => {
  const { tags } = released as { tags: { name: string; description: string }[] }
  const guide = tags.find(({ name }) => name === 'Versioning')?.description ?? ''
  const [compatible = '', duties = '', breaking = ''] = guide.split(/^Clients must|^These changes are incompatible/m)
  const rows = (text: string): string[] => [...text.matchAll(/^- (.+)$/gm)].map(([, row = '']) => row)
  t.equal(rows(duties).length, 4)
  t.same(new Set(COMPATIBLE.map(({ row }) => row)), new Set(rows(compatible)))
  t.same(new Set(BREAKING.map(({ row }) => row)), new Set(rows(breaking)))
  t.ok(COMPATIBLE.every(({ breaks }) => breaks.length === 0))
  t.ok(BREAKING.every(({ breaks }) => breaks.length > 0))
  t.end()
})

void t.test('permits the removal of an operation after the sunset of a released deprecation', (t) => {
  const path = '/api/v1/lookups/degrees'
  const current = changed(({ paths }) => Reflect.deleteProperty(paths, path))
  const isJudged = (marks: object): boolean => {
    const before = changed(({ paths }) => Object.assign(paths[path]?.['get'] ?? {}, marks))
    const { paths } = withoutDueRemovals({ released: before, current }, new Date('2027-03-01'))
    return path in (paths as object)
  }
  t.equal(isJudged({ deprecated: true, 'x-tawthiq-sunset': '2027-02-28' }), false, 'after the sunset')
  t.equal(isJudged({ deprecated: true, 'x-tawthiq-sunset': '2027-03-02' }), true, 'before the sunset')
  t.equal(isJudged({ deprecated: true }), true, 'without a sunset')
  t.equal(isJudged({ 'x-tawthiq-sunset': '2027-02-28' }), true, 'without a deprecation')
  const deprecated = { deprecated: true, 'x-tawthiq-sunset': '2027-02-28' }
  const all = changed(({ paths }) => Object.values(paths).forEach(({ get }) => get && Object.assign(get, deprecated)))
  const { paths } = withoutDueRemovals({ released: all, current }, new Date('2027-03-01'))
  t.same(Object.keys(paths as object), Object.keys(current['paths'] ?? {}), 'retains operations that were not removed')
  t.end()
})

const BREAK: Break = {
  rule: 'property-removed',
  location: '#/components/schemas/Session/properties/address',
  message: 'Property `address` of `Session` was removed.',
  use: 'response 200 of GET /api/v1/auth/sessions',
}

void t.test('accepts listed breaks, and rejects entries that accept nothing', (t) => {
  const entry = { rule: BREAK.rule, location: BREAK.location, reason: 'No client reads it.' }
  t.same(separate([BREAK], [entry]), { refused: [], unused: [], used: [entry] })
  t.same(separate([BREAK], [{ ...entry, rule: 'operation-removed' }]).refused, [BREAK])
  t.same(separate([], [entry]).unused, [entry])
  t.same(readAccepted('# nothing\n[]\n'), [])
  t.throws(() => readAccepted(`- { rule: property-removed, location: '#/x' }`), /Entry 1 .* reason/)
  t.throws(() => readAccepted(`- { rule: property-removed, location: '#/x', reason: '' }`), /Entry 1/)
  t.end()
})

void t.test('states what broke, where, and how to accept it', (t) => {
  const report = formatReport({ version: '0.2.0', refused: [BREAK], unused: [], used: [] })
  for (const part of [BREAK.rule, BREAK.location, BREAK.message, BREAK.use ?? '', '0.2.0', 'accepted.yaml'])
    t.match(report, part)
  const template = report.slice(report.lastIndexOf('\n- rule'))
  t.match(readAccepted(template), [{ rule: BREAK.rule, location: BREAK.location }], 'the template can be pasted')
  t.end()
})
