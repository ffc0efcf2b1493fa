// The order in which a fair queue serves its owners, and the work that it rejects.
import t from 'tap'
import { fairQueue, type FairQueue } from '../../../src/adapters/queues/fair-queue.ts'

const LIMITS = { workers: 1, waitingPerOwnerMax: 10, waitingMax: 20 }

/** Queues items named after their owners; each runs until `end` is called. */
function script(queue: FairQueue): {
  add: (owner: string, count?: number, abandoned?: AbortSignal) => Promise<unknown>[]
  end: () => Promise<void>
  started: string[]
} {
  const started: string[] = []
  const ends: (() => void)[] = []
  return {
    started,
    add: (owner, count = 1, abandoned) =>
      Array.from({ length: count }, async () => {
        const item = queue.run({ owner, abandoned }, async () => {
          started.push(owner)
          await new Promise<void>((resolve) => ends.push(resolve))
        })
        return item.catch((error: unknown) => error)
      }),
    async end() {
      while (ends.length > 0) {
        ends.shift()?.()
        await new Promise(setImmediate)
      }
    },
  }
}

void t.test('serves a new owner next, however many items wait', async (t) => {
  const { add, end, started } = script(fairQueue(LIMITS))
  void add('busy', 6)
  void add('stranger', 2)
  await end()
  t.same(started, ['busy', 'stranger', 'busy', 'stranger', 'busy', 'busy', 'busy', 'busy'])
})

void t.test('does not starve an owner while new owners arrive', async (t) => {
  const { add, end, started } = script(fairQueue(LIMITS))
  void add('patient', 2)
  for (let count = 0; count < 8; count++) void add(`newcomer ${count}`)
  await end()
  t.ok(started.lastIndexOf('patient') <= 9)
  t.equal(started.length, 10)
})

void t.test('rejects only the owner with too many waiting items', async (t) => {
  const { add, end } = script(fairQueue({ ...LIMITS, waitingPerOwnerMax: 2 }))
  const busy = add('busy', 4)
  const stranger = add('stranger', 2)
  t.match(await busy[3], { code: 'overloaded', retryAfterSeconds: 5 })
  await end()
  t.same(await Promise.all([...busy.slice(0, 3), ...stranger]), Array(5).fill(undefined))
})

void t.test('drops the newest item of the largest owner for a new owner when full', async (t) => {
  const { add, end } = script(fairQueue({ ...LIMITS, waitingMax: 4 }))
  const large = add('large', 4)
  const small = add('small', 1)
  const newcomer = add('newcomer', 1)
  t.match(await large[3], { code: 'overloaded' })
  const again = add('large', 1)
  t.match(await again[0], { code: 'overloaded' }, 'the largest owner cannot replace the dropped item')
  await end()
  t.same(await Promise.all([...large.slice(0, 3), ...small, ...newcomer]), Array(5).fill(undefined))
})

void t.test('rejects a new owner when every owner has one item', async (t) => {
  const { add, end } = script(fairQueue({ ...LIMITS, waitingMax: 3 }))
  for (const owner of ['a', 'b', 'c', 'd']) void add(owner)
  t.match(await add('newcomer')[0], { code: 'overloaded' })
  await end()
})

void t.test('rejects work that has waited too long, and starts what came after it', async (t) => {
  const { add, end, started } = script(fairQueue({ ...LIMITS, waitMsMax: 30 }))
  const running = add('busy', 1)
  const [first, second] = [...add('patient'), ...add('stranger')]
  t.match(await first, { code: 'overloaded', retryAfterSeconds: 5 })
  t.match(await second, { code: 'overloaded', retryAfterSeconds: 5 })
  t.same(started, ['busy'], 'running work is not limited')
  const late = add('late')
  await end()
  t.same(await Promise.all([...running, ...late]), [undefined, undefined])
  t.same(started, ['busy', 'late'])
})

void t.test('does not start work of disconnected clients', async (t) => {
  const { add, end, started } = script(fairQueue(LIMITS))
  const client = new AbortController()
  void add('busy', 1)
  const [waiting] = add('leaving', 1, client.signal)
  client.abort()
  t.match(await waiting, { code: 'malformed_request' })
  t.match(await add('leaving', 1, client.signal)[0], { code: 'malformed_request' })
  await end()
  t.same(started, ['busy'])
})
