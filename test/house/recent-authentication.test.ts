// What the document marks with x-requires-recent-authentication is tried at the limit.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import { RECENT_REQUESTS } from '../support/recent-requests.ts'

void t.test('every operation that requires recent authentication has a request that is tried before and after', (t) => {
  const marked = Object.entries(bindings).flatMap(([id, { recentAuthentication }]) => (recentAuthentication ? id : []))
  t.same(Object.keys(RECENT_REQUESTS).sort(), marked.sort())
  const scenario = readFileSync('test/scenario/recent-authentication.test.ts', 'utf8')
  t.match(scenario, /for \(const \[id, requestOf\] of Object\.entries\(RECENT_REQUESTS\)\)/)
  t.end()
})

void t.test('what an operation requires is enforced from the document, and by no operation of its own', (t) => {
  const operations = Object.keys(RECENT_REQUESTS).map((id) => readFileSync(`src/operations/${id}.ts`, 'utf8'))
  for (const text of operations) t.notMatch(text, /reauthentication_required|maxAgeSeconds|recentProofSeconds/)
  t.end()
})
