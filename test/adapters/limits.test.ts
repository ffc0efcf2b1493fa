// Limits that count before they judge, and do not punish those who turn out right.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { memoryAttempts } from '../../src/adapters/attempt-counters.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { countFailures } from '../../src/adapters/count-failures.ts'
import { countBy } from '../../src/adapters/counters.ts'
import { rateLimits } from '../../src/adapters/limits.ts'
import { Failure } from '../../src/domain/failure.ts'
import { rateLimited, type Policy, type Slate } from '../../src/domain/limit.ts'
import { jsonLog } from '../../src/log.ts'

const REDIS_URL = process.env['REDIS_URL']

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
  const count = countBy(
    'test',
    (options) => new RateLimiterMemory(options),
    async (command) => (++asked < 3 ? command() : undefined),
  )
  t.match(await count(counter), { hadRoom: true, standing: { remaining: 0 } })
  t.equal(await count(counter), undefined, 'what had no room could not be given back')
})

void t.test('counters that stop answering refuse, and hold nobody up afterwards', async (t) => {
  const counter = { policy: policy(1), key: 'a' }
  const memory = memoryAttempts(systemClock)
  const away = new Failure('limits_unavailable')
  let isAway = true
  const attempt = countFailures(async (counters) => {
    const begun = await memory.begin(counters)
    if (isAway || !begun) throw away
    return { ...begun, end: (hasFailed) => memory.end(counters, hasFailed) }
  })
  const right = (): Promise<boolean> => attempt([counter], [], () => Promise.resolve(true))

  await t.rejects(Promise.all([right(), right(), right()]), away)
  await memory.end([counter], false)
  isAway = false
  t.equal(await right(), true, 'nothing runs any more')
})

void t.test('a failure that cannot be counted still reaches the caller', async (t) => {
  const counter = { policy: policy(1), key: 'a' }
  const memory = memoryAttempts(systemClock)
  const attempt = countFailures(async (counters) => {
    const begun = await memory.begin(counters)
    if (!begun) throw new Error('memory always answers')
    return { ...begun, end: () => Promise.resolve(undefined) }
  })
  t.equal(await attempt([counter], [], () => Promise.resolve(false)), false)
  t.match(await memory.begin([counter]), { hasBegun: false, tallies: [{ running: 1 }] }, 'it keeps its place')
})

void t.test('an attempt that has no room in one counter takes a place in none', async (t) => {
  const [full, free] = [
    { policy: policy(1), key: 'a' },
    { policy: policy(2), key: 'b' },
  ]
  await limits.countFailures([full], [], () => Promise.resolve(false))
  await t.rejects(
    limits.countFailures([free, full], [], () => Promise.resolve(true)),
    { code: 'rate_limited' },
  )
  const slate: Slate = []
  for (let tries = 0; tries < 2; tries++) await limits.countFailures([free], slate, () => Promise.resolve(false))
  t.same(
    slate.map(({ remaining }) => remaining),
    [1, 0],
  )
})

void t.test('a hidden policy refuses, and is not on the slate', async (t) => {
  const hidden = { policy: { ...policy(1), isHidden: true as const }, key: 'a' }
  const seen = { policy: policy(5), key: 'a' }
  const slate: Slate = []
  await limits.countFailures([hidden, seen], slate, () => Promise.resolve(false))
  await t.rejects(
    limits.countFailures([hidden, seen], slate, () => Promise.resolve(false)),
    { code: 'rate_limited' },
  )
  t.same([...new Set(slate.map(({ policy }) => policy.name))], [seen.policy.name])
})

void t.test('failures are forgotten when their time has passed', async (t) => {
  for (const redisUrl of [undefined, ...(REDIS_URL === undefined ? [] : [REDIS_URL])]) {
    let shiftMs = 0
    const clock = { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs }
    const own = await rateLimits({ redisUrl, prefix: `test-${randomUUID()}`, log: jsonLog('silent'), clock })
    t.teardown(() => own.close())
    const counter = { policy: policy(1), key: 'a' }
    const fail = (): Promise<boolean> => own.countFailures([counter], [], () => Promise.resolve(false))
    await fail()
    shiftMs = 890_000
    await t.rejects(fail(), { code: 'rate_limited' })
    shiftMs = 900_000
    t.equal(await fail(), false)
  }
})

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
