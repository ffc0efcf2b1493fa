// docs/security.md names a test for each control: a test that was renamed or removed must not stay in the table. A test in bold
// fails if the control is removed, which `npm run security-controls` checks.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const FOLDERS = 'adapters|contract|domain|http|matrix|property|scenario|services|store'
const WITHOUT_REMOVAL = 'Not checked by removal'
/** The requirements of level 1 in chapters V6 and V7 of ASVS 5.0.0 */
const LEVEL_1 =
  '6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2 7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2'

const text = readFileSync('docs/security.md', 'utf8')
const rows = (text.match(/^\| [67]\.\d.*$/gm) ?? []).map((row) => {
  const [, id = '', , result = '', reason = ''] = row.split('|').map((cell) => cell.trim())
  return { id, result, reason }
})

void t.test('every test that docs/security.md names exists', (t) => {
  const named = [...text.matchAll(new RegExp(`\`((?:${FOLDERS})(?:/[\\w-]+)+)\``, 'g'))]
  t.ok(named.length > 30)
  for (const path of new Set(named.map(([, path = '']) => path))) t.ok(existsSync(`test/${path}.test.ts`), path)
  t.end()
})

void t.test('every requirement has a valid result, and a reason if it is not met', (t) => {
  t.ok(rows.length > 40)
  for (const { id, result, reason } of rows) {
    t.match(result, /^(met|partial|not met|n\/a)$/, id)
    t.ok(reason.length > 0, id)
  }
  t.end()
})

void t.test('every requirement is checked by its removal, or says that it is not', (t) => {
  const listed = execFileSync('node', ['scripts/security-controls.mjs', '--list'], { encoding: 'utf8' })
  const removals = new Map(
    listed
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  ) // as `--list` prints
  t.ok(removals.size >= 40)
  for (const { id, reason } of rows) {
    const test = removals.get(id)
    const bold = [...reason.matchAll(/\*\*`(.+?)`\*\*/g)].map(([, path]) => path)
    t.same(bold, test === undefined ? [] : [test], id)
    t.equal(reason.includes(WITHOUT_REMOVAL), test === undefined, id)
  }
  t.same(
    [...removals.keys()].filter((id) => rows.every((row) => row.id !== id)),
    [],
    'every removal has a row',
  )
  t.same(
    LEVEL_1.split(' ').filter((id) => !removals.has(id)),
    [],
    'all of level 1 is checked',
  )
  t.match(text, new RegExp(`^Checked on 20[-\\d]{8} at commit .*: ${removals.size} controls`, 'm'))
  t.end()
})
