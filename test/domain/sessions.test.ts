// The moments at which a refresh token ends to be accepted.
import t from 'tap'
import { evaluateExchange } from '../../src/domain/sessions/session.ts'

const DAY_MS = 86_400_000
const NOW_MS = 200 * DAY_MS

type Given = { createdMsAgo?: number; successorUnused?: boolean; lostSuccessors?: number }

function judge(
  generation: number,
  refreshedMsAgo: number,
  { createdMsAgo = refreshedMsAgo, ...of }: Given = {},
): string {
  const used = { generation: 7, successorUnused: false, lostSuccessors: 0 }
  const session = { ...used, refreshedAtMs: NOW_MS - refreshedMsAgo, createdAtMs: NOW_MS - createdMsAgo, ...of }
  return evaluateExchange(session, generation, NOW_MS)
}

void t.test('expires a session that was not refreshed for 30 days', (t) => {
  t.equal(judge(7, 30 * DAY_MS - 1), 'exchanged')
  t.equal(judge(7, 30 * DAY_MS), 'expired')
  t.end()
})

void t.test('expires a session 90 days after its start, however often it was refreshed', (t) => {
  t.equal(judge(7, 1000, { createdMsAgo: 90 * DAY_MS - 1 }), 'exchanged')
  t.equal(judge(7, 1000, { createdMsAgo: 90 * DAY_MS }), 'expired')
  t.end()
})

void t.test('repeats the last exchange for 30 seconds, and treats a later one as theft', (t) => {
  t.equal(judge(6, 30_000), 'repeated')
  t.equal(judge(6, 30_001), 'reused')
  t.end()
})

void t.test('renews a successor that was not used, after 30 seconds', (t) => {
  const lost = { successorUnused: true, lostSuccessors: 2 }
  t.equal(judge(4, 30_000, lost), 'repeated')
  t.equal(judge(4, 30_001, lost), 'renewed')
  t.equal(judge(4, 30_001, { ...lost, successorUnused: false }), 'reused')
  for (const replaced of [5, 6]) t.equal(judge(replaced, 1000, lost), 'reused')
  t.equal(judge(7, 30_001, lost), 'exchanged')
  t.end()
})

void t.test('treats any older token, and one that was never issued, as theft', (t) => {
  for (const generation of [0, 5, 8]) t.equal(judge(generation, 1000), 'reused', String(generation))
  t.end()
})
