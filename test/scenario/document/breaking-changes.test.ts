// The gate judges changes of the document rightly. One comparison serves all planted changes, which concern different parts.
import t from 'tap'
import { readAccepted, separate } from '../../../scripts/breaking/accepted.ts'
import type { Break } from '../../../scripts/breaking/break.ts'
import { readJson } from '../../../scripts/breaking/files.ts'
import { judge } from '../../../scripts/breaking/judge.ts'
import type { Node } from '../../../scripts/breaking/json.ts'
import { formatReport } from '../../../scripts/breaking/report.ts'
import { withoutDueRemovals } from '../../../scripts/breaking/sunset.ts'
import { BREAKING } from '../../support/breaking/breaking-plants.ts'
import { COMPATIBLE } from '../../support/breaking/compatible-plants.ts'
import type { Editable } from '../../support/breaking/plant.ts'

const released = (await readJson('generated/openapi.json')) ?? {}

function changed(change: (document: Editable) => void): Node {
  const document = structuredClone(released)
  change(document as Editable)
  return document
}

void t.test('finds each breaking change, and nothing else', async (t) => {
  const plants = [...BREAKING, ...COMPATIBLE]
  const current = changed((document) => plants.forEach(({ change }) => change(document)))
  const { breaks } = await judge({ released, current }, new Date())
  const found = new Set(breaks.map(({ rule, location }) => `${rule} ${location}`))
  t.equal(BREAKING.length, 13)
  t.equal(COMPATIBLE.length, 6)
  for (const { title, breaks: expected } of BREAKING) {
    for (const each of expected) t.ok(found.delete(each), `finds ${title}`)
  }
  t.same([...found], [], 'accepts the compatible changes')
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
