// Every operation that the document marks with x-tawthiq-requires-recent-authentication is tested at the limit.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import { RECENT_REQUESTS } from '../support/accounts/recent-requests.ts'

void t.test('tests every operation that requires recent authentication', (t) => {
  const marked = Object.entries(bindings).flatMap(([id, { recentAuthentication }]) => (recentAuthentication ? id : []))
  t.same(Object.keys(RECENT_REQUESTS).sort(), marked.sort())
  const scenario = readFileSync('test/scenario/auth/recent-authentication.test.ts', 'utf8')
  t.match(scenario, /for \(const \[id, requestOf\] of Object\.entries\(RECENT_REQUESTS\)\)/)
  t.end()
})

void t.test('enforces recent authentication from the document only', (t) => {
  const marked = Object.keys(RECENT_REQUESTS).map((id) => `/${id}.ts`)
  const files = readdirSync('src/operations', { recursive: true, encoding: 'utf8' })
  const operations = files.filter((path) => marked.some((ending) => path.endsWith(ending)))
  t.equal(operations.length, marked.length)
  for (const path of operations)
    t.notMatch(
      readFileSync(`src/operations/${path}`, 'utf8'),
      /reauthentication_required|maxAgeSeconds|recentProofSeconds/,
    )
  t.end()
})
