// Limits that count before they judge, and do not punish those who turn out right.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { countFailures, placesOf } from '../../src/adapters/count-failures.ts'
import { countBy } from '../../src/adapters/counters.ts'
import { rateLimits } from '../../src/adapters/limits.ts'
import { Failure } from '../../src/domain/failure.ts'
import { rateLimited, type Policy, type Slate } from '../../src/domain/limit.ts'
import { jsonLog } from '../../src/log.ts'

const limits = await rateLimits({ redisUrl: undefined, prefix: 'test', log: jsonLog('silent') })
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
  await t.rejects(
    limits.take(counter, slate),
    rateLimited(counter, { policy: counter.policy, remaining: 0, resetSeconds: 900 }),
  )
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

void t.test('a counter that goes away while it is asked has not answered', async (t) => {
  const counter = { policy: policy(1), key: 'a' }
  let asked = 0
  const { count } = countBy(
    'test',
    (options) => new RateLimiterMemory(options),
    async (command) => (++asked < 3 ? command() : undefined),
  )
  t.match(await count(counter), { hadRoom: true, standing: { remaining: 0 } })
  t.equal(await count(counter), undefined, 'what had no room could not be given back')
})

void t.test('counters that stop answering refuse, and hold nobody up afterwards', async (t) => {
  const counter = { policy: policy(1), key: 'a' }
  const memory = countBy('test', (options) => new RateLimiterMemory(options))
  const away = new Failure('limits_unavailable')
  const state = { readsAway: false, failuresAway: false }
  const attempt = countFailures({
    async count(asked) {
      if (state.failuresAway && asked.policy === counter.policy) throw away
      const counted = await memory.count(asked)
      if (!counted) throw away
      return counted
    },
    async read(asked) {
      const standing = state.readsAway ? undefined : await memory.read(asked)
      if (!standing) throw away
      return standing
    },
  })
  const right = (): Promise<boolean> => attempt([counter], [], () => Promise.resolve(true))

  state.readsAway = true
  await t.rejects(Promise.all([right(), right(), right()]), away)
  state.readsAway = false
  t.equal(await right(), true, 'the places were given back')

  state.failuresAway = true
  t.equal(await attempt([counter], [], () => Promise.resolve(false)), false, 'who was wrong hears that')
  state.failuresAway = false
  t.equal((await memory.read(placesOf(counter)))?.remaining, 0, 'what could not be counted keeps its place')
})

const REDIS_URL = process.env['REDIS_URL']

void t.test('two instances count as one', { skip: REDIS_URL ? false : 'it needs REDIS_URL' }, async (t) => {
  const options = { redisUrl: REDIS_URL, prefix: `test-${randomUUID()}`, log: jsonLog('silent') }
  const instances = [await rateLimits(options), await rateLimits(options)]
  t.teardown(() => {
    for (const instance of instances) instance.close()
  })
  const crowd = async (isRight: boolean): Promise<PromiseSettledResult<boolean>[]> => {
    const counters = [{ policy: policy(10), key: 'a' }]
    const attempts = Array.from({ length: 40 }, async (_, at) =>
      instances[at % 4 === 0 ? 1 : 0]?.countFailures(counters, [], async () => {
        await turn(3)
        return isRight
      }),
    )
    return Promise.allSettled(attempts) as Promise<PromiseSettledResult<boolean>[]>
  }
  t.ok(
    (await crowd(true)).every(({ status }) => status === 'fulfilled'),
    'nobody who is right is refused',
  )
  const wrong = await crowd(false)
  t.equal(wrong.filter(({ status }) => status === 'fulfilled').length, 10, 'no more fail than may')
})
