// Limits that count before they judge, and do not punish those who turn out right.
import fc from 'fast-check'
import t from 'tap'
import { rateLimits } from '../../src/adapters/limits.ts'
import { rateLimited, type Policy, type Slate } from '../../src/domain/limit.ts'

const limits = await rateLimits({ redisUrl: undefined, prefix: 'test', onFault: () => undefined })
t.teardown(() => limits.close())

let names = 0
const policy = (points: number): Policy => ({ name: `policy-${++names}`, points, seconds: 900 })

/** Lets others run before it goes on. */
const turn = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => void turn(turns - 1).then(resolve)))

void t.test('takes as many as there are, and says what is left', async (t) => {
  const counter = { policy: policy(2), key: 'a' }
  const slate: Slate = []
  await limits.take(counter, slate)
  await limits.take(counter, slate)
  await t.rejects(limits.take(counter, slate), rateLimited({ ...counter, remaining: 0, resetSeconds: 900 }))
  t.same(
    slate.map(({ remaining }) => remaining),
    [1, 0, 0],
  )
  await limits.take({ ...counter, key: 'b' }, [])
})

void t.test('whatever the crowd, no more attempts fail than may, and who is right is not refused before', async (t) => {
  const crowd = fc.array(fc.record({ isRight: fc.boolean(), turns: fc.nat(5) }), { maxLength: 60 })
  await t.resolves(
    fc.assert(
      fc.asyncProperty(crowd, fc.integer({ min: 1, max: 10 }), async (attempts, points) => {
        const counters = [
          { policy: policy(points), key: 'account' },
          { policy: policy(points * 2), key: 'address' },
        ]
        let failed = 0
        let running = 0
        let mostRunning = 0
        const results = await Promise.allSettled(
          attempts.map(({ isRight, turns }) =>
            limits.countFailures(counters, [], async () => {
              mostRunning = Math.max(mostRunning, ++running)
              await turn(turns)
              running--
              if (!isRight) failed++
              return isRight
            }),
          ),
        )
        const refused = results.filter(({ status }) => status === 'rejected').length
        const allRight = attempts.every(({ isRight }) => isRight)
        return (
          failed <= points &&
          mostRunning <= points &&
          (!allRight || refused === 0) &&
          (refused === 0 || failed === points)
        )
      }),
      { numRuns: 300 },
    ),
  )
})

void t.test('an attempt that breaks is not counted', async (t) => {
  const counters = [{ policy: policy(1), key: 'a' }]
  for (let attempts = 0; attempts < 3; attempts++) {
    await t.rejects(
      limits.countFailures(counters, [], () => Promise.reject(new Error('broken'))),
      /broken/,
    )
  }
  t.equal(await limits.countFailures(counters, [], () => Promise.resolve(true)), true)
})

void t.test('what succeeds takes nothing away', async (t) => {
  const counters = [{ policy: policy(3), key: 'a' }]
  const slate: Slate = []
  for (let attempts = 0; attempts < 5; attempts++)
    await limits.countFailures(counters, slate, () => Promise.resolve(true))
  t.same(
    slate.map(({ remaining }) => remaining),
    [3, 3, 3, 3, 3],
  )
})
