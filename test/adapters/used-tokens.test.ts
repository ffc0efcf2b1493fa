// The record of used access tokens: once for each refresh, together, and again after a failure.
import pino from 'pino'
import t from 'tap'
import { createBackground, type Background } from '../../src/adapters/background.ts'
import { usedTokens, type RecordUse } from '../../src/adapters/tokens/used-tokens.ts'
import type { RefreshClaims } from '../../src/domain/sessions/session.ts'

type Opened = { use: RecordUse; records: RefreshClaims[][]; settle(): Promise<void> }

function open({ failures = 0, enqueue }: { failures?: number; enqueue?: Background['enqueue'] } = {}): Opened {
  const records: RefreshClaims[][] = []
  const background = createBackground(pino({ enabled: false }))
  const use = usedTokens({ ...background, ...(enqueue && { enqueue }) }, async (used) => {
    records.push(used)
    if (records.length <= failures) throw new Error('no database')
  })
  return { use, records, settle: () => background.settle() }
}

const of = (sessionId: string, generation?: number): Parameters<RecordUse>[0] => ({
  accountId: 1,
  sessionId,
  ...(generation !== undefined && { generation }),
})

void t.test('records the first use of each refresh, and nothing for a token of a login', async (t) => {
  const { use, records, settle } = open()
  for (let round = 0; round < 2; round++) for (const bearer of [of('a'), of('a', 1), of('b', 3)]) use(bearer)
  t.same(records, [], 'no use waits for it')
  await settle()
  const first = [
    { sessionId: 'a', generation: 1 },
    { sessionId: 'b', generation: 3 },
  ]
  t.same(records, [first])
  for (const bearer of [of('a', 1), of('a', 2), of('b', 2)]) use(bearer)
  await settle()
  t.same(records, [first, [{ sessionId: 'a', generation: 2 }]], 'only a later refresh')
})

void t.test('records the next use after a failure', async (t) => {
  const { use, records, settle } = open({ failures: 1 })
  for (let round = 0; round < 3; round++) {
    use(of('a', 1))
    await settle()
  }
  t.equal(records.length, 2)
})

void t.test('does not fail if the queue is full, and records the next use', async (t) => {
  let isFull = true
  const background = createBackground(pino({ enabled: false }))
  const enqueue: Background['enqueue'] = (task, work) => {
    if (isFull) throw new Error('full')
    background.enqueue(task, work)
  }
  const { use, records } = open({ enqueue })
  use(of('a', 1))
  isFull = false
  use(of('a', 1))
  await background.settle()
  t.same(records, [[{ sessionId: 'a', generation: 1 }]])
})

void t.test('records at most 1,000 uses together, and the others later', async (t) => {
  const { use, records, settle } = open()
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < 1500; at++) use(of(String(at), 1))
    await settle()
  }
  t.same(
    records.map(({ length }) => length),
    [1000, 500],
  )
})
