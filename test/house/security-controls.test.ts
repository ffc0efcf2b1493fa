// docs/security.md names a test for each control: a test that was renamed or removed must not stay in the table.
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const FOLDERS = 'adapters|contract|http|property|scenario|store'

void t.test('every test that docs/security.md names exists', (t) => {
  const named = [
    ...readFileSync('docs/security.md', 'utf8').matchAll(new RegExp(`\`((?:${FOLDERS})(?:/[\\w-]+)+)\``, 'g')),
  ]
  t.ok(named.length > 30)
  for (const path of new Set(named.map(([, path = '']) => path))) t.ok(existsSync(`test/${path}.test.ts`), path)
  t.end()
})

void t.test('every requirement has a valid result, and a reason if it is not met', (t) => {
  const rows = readFileSync('docs/security.md', 'utf8').match(/^\| [67]\.\d.*$/gm) ?? []
  t.ok(rows.length > 40)
  for (const row of rows) {
    const [, id = '', , result = '', reason = ''] = row.split('|').map((cell) => cell.trim())
    t.match(result, /^(met|partial|not met|n\/a)$/, id)
    t.ok(reason.length > 0, id)
  }
  t.end()
})
