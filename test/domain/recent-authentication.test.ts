// Which sessions may change an account.
import t from 'tap'
import {
  isRecent,
  recentAuthentication,
  requireRecent,
  type RecentAuthentication,
} from '../../src/domain/sessions/recent-authentication.ts'

const rule: RecentAuthentication = { maxAgeSeconds: 900, when: null }
const session = (authenticationAgeSeconds: number): { authenticationAgeSeconds: number } => ({
  authenticationAgeSeconds,
})
const refusal = { code: 'reauthentication_required', maxAgeSeconds: 900 }

void t.test('accepts a session until its maximum age', (t) => {
  t.ok(isRecent(rule, session(900)))
  t.notOk(isRecent(rule, session(900.001)))
  t.end()
})

void t.test('uses the configured maximum age for sensitive operations only', (t) => {
  t.same(recentAuthentication({ recentProofSeconds: 60 }), { maxAgeSeconds: 60, when: null })
  const longer = { seconds: 3600, when: ['email'] }
  t.same(recentAuthentication({ recentProofSeconds: 60 }, longer), { maxAgeSeconds: 3600, when: ['email'] })
  t.end()
})

void t.test('rejects an old session in every request of an operation without conditions', (t) => {
  t.throws(() => requireRecent(rule, session(901)), refusal)
  t.throws(() => requireRecent(rule, session(901), ['email']), refusal)
  t.doesNotThrow(() => requireRecent(rule, session(900), ['email']))
  t.doesNotThrow(() => requireRecent(undefined, session(901), ['email']))
  t.end()
})

void t.test('rejects an old session only for a change of a field of the condition', (t) => {
  const conditional = { ...rule, when: ['email', 'phone'] }
  for (const changed of [['email'], ['name', 'phone']]) {
    t.throws(() => requireRecent(conditional, session(901), changed), refusal, changed.join())
  }
  for (const changed of [[], ['name'], ['password']]) {
    t.doesNotThrow(() => requireRecent(conditional, session(901), changed), changed.join())
  }
  t.doesNotThrow(() => requireRecent(conditional, session(900), ['email']))
  t.end()
})
