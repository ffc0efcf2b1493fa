// Rate limits: points that requests consume, and attempts that cost a point only when they fail.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { memoryAttempts } from '../../src/adapters/limits/attempt-counters.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { failureCounting } from '../../src/adapters/limits/count-failures.ts'
import { openLimits, type Limits } from '../../src/adapters/limits/index.ts'
import { Failure } from '../../src/domain/failure.ts'
import { rateLimited } from '../../src/domain/failure.ts'
import type { Counter, Policy, RateLimiter } from '../../src/domain/rate-limiter.ts'
import { rateLimiterFor, type RateLimits } from '../../src/http/request/rate-limiter.ts'
import { jsonLog } from '../../src/lib/log.ts'

const REDIS_URL = process.env['REDIS_URL']
/** In this process and, with REDIS_URL, in Redis */
const stores = [undefined, ...(REDIS_URL === undefined ? [] : [REDIS_URL])]

/** Opens counters that no other test uses. */
function openOwn(redisUrl: string | undefined, clock = systemClock): Promise<Limits> {
  return openLimits({ redisUrl, prefix: `test-${randomUUID()}`, log: jsonLog('silent'), clock })
}

const limits = await openLimits({ redisUrl: undefined, prefix: 'test', log: jsonLog('silent') })
t.teardown(() => limits.close())

let names = 0
const newPolicy = (points: number): Policy => ({ name: `policy-${++names}`, points, seconds: 900 })

/** Resolves after some turns of the event loop, in which other attempts run. */
const turn = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => void turn(turns - 1).then(resolve)))

/** Attempts that resolve to whether they succeeded */
const isFailure = (isRight: boolean): boolean => !isRight
const succeed = (): Promise<boolean> => Promise.resolve(true)
const fail = (): Promise<boolean> => Promise.resolve(false)

/** The rate limiter of a new request, and the values that its response would report */
function newRequest(): { rateLimiter: RateLimiter; remaining: () => Record<string, number> } {
  const rateLimits: RateLimits = new Map()
  return {
    rateLimiter: rateLimiterFor({ rateLimits } as never, { limits }),
    remaining: () => Object.fromEntries([...rateLimits].map(([name, { remaining }]) => [name, remaining])),
  }
}

void t.test('consumes as many points as a policy has, and reports how many are left', async (t) => {
  const policy = newPolicy(2)
  const counter = { policy, key: 'a' }
  const { rateLimiter, remaining } = newRequest()
  await rateLimiter.consume(counter)
  t.same(remaining(), { [policy.name]: 1 })
  await rateLimiter.consume(counter)
  t.same(remaining(), { [policy.name]: 0 })
  await t.rejects(rateLimiter.consume(counter), rateLimited(counter, 900))
  t.same(remaining(), { [policy.name]: 0 })
  await rateLimiter.consume({ policy, key: 'b' })
})

void t.test('does not count an attempt that throws', async (t) => {
  const counters = [{ policy: newPolicy(1), key: 'a' }]
  for (let attempts = 0; attempts < 3; attempts++) {
    await t.rejects(
      limits.countFailures(counters, () => Promise.reject(new Error('broken')), isFailure),
      /broken/,
    )
  }
  t.equal(await limits.countFailures(counters, succeed, isFailure), true)
})

void t.test('does not count an attempt that succeeds', async (t) => {
  const policy = newPolicy(3)
  const { rateLimiter, remaining } = newRequest()
  for (let attempts = 0; attempts < 5; attempts++) {
    await rateLimiter.countFailures([{ policy, key: 'a' }], succeed, isFailure)
    t.same(remaining(), { [policy.name]: 3 })
  }
})

void t.test('consumes points of several counters, or none if one of them is used up', async (t) => {
  for (const redisUrl of stores) {
    const own = await openOwn(redisUrl)
    t.teardown(() => own.close())
    const [short, long] = [
      { policy: { ...newPolicy(2), seconds: 60 }, key: 'a' },
      { policy: newPolicy(3), key: 'a' },
    ]
    const reports: number[][] = []
    const consume = (counters: Counter | Counter[]): Promise<void> =>
      own.consume(counters, (statuses) => reports.push(statuses.map(({ remaining }) => remaining)))
    await consume([short, long])
    await consume(long)
    await consume([short, long])
    await t.rejects(consume([short, long]), rateLimited(long, 900), 'both are used up; the longer window decides')
    t.same(reports, [[1, 2], [1], [0, 0], [0, 0]])
    const free = { policy: newPolicy(1), key: 'a' }
    await t.rejects(consume([free, short]), rateLimited(short, 60))
    await consume(free)
  }
})

void t.test('consumes at most as many points as a policy has under concurrency', async (t) => {
  for (const redisUrl of stores) {
    const own = await openOwn(redisUrl)
    t.teardown(() => own.close())
    const [few, many] = [
      { policy: newPolicy(7), key: 'a' },
      { policy: newPolicy(20), key: 'a' },
    ]
    const consumed = await Promise.allSettled(Array.from({ length: 40 }, () => own.consume([many, few])))
    t.equal(consumed.filter(({ status }) => status === 'fulfilled').length, 7)
    const rest = await Promise.allSettled(Array.from({ length: 40 }, () => own.consume(many)))
    t.equal(rest.filter(({ status }) => status === 'fulfilled').length, 13, 'rejected calls have consumed nothing')
  }
})

void t.test('counts an attempt only in the counters in which it failed', async (t) => {
  for (const redisUrl of stores) {
    const own = await openOwn(redisUrl)
    t.teardown(() => own.close())
    const [failing, other] = [
      { policy: newPolicy(2), key: 'a' },
      { policy: newPolicy(2), key: 'a' },
    ]
    for (let attempts = 0; attempts < 2; attempts++) {
      await own.countFailures([failing, other], fail, (isRight, counter) => !isRight && counter === failing)
    }
    await t.rejects(own.countFailures([failing, other], succeed, isFailure), rateLimited(failing, 900))
    t.equal(await own.countFailures([other], fail, isFailure), false)
    t.equal(await own.countFailures([other], fail, isFailure), false)
    await t.rejects(own.countFailures([other], fail, isFailure), rateLimited(other, 900))
  }
})

void t.test('rejects attempts while counters are unavailable, and serves them again afterwards', async (t) => {
  const counter = { policy: newPolicy(1), key: 'a' }
  const memory = memoryAttempts(systemClock)
  const unavailable = new Failure('limits_unavailable')
  let isAvailable = false
  const countFailures = failureCounting(async (counters) => {
    const usages = await memory.begin(counters)
    if (!isAvailable || !usages) throw unavailable
    return { usages, end: (failed) => memory.end(counters, failed) }
  })
  const attempt = (): Promise<boolean> => countFailures([counter], succeed, isFailure)

  await t.rejects(Promise.all([attempt(), attempt(), attempt()]), unavailable)
  await memory.end([counter], [false])
  isAvailable = true
  t.equal(await attempt(), true)
})

void t.test('returns a failed result that could not be counted', async (t) => {
  const counter = { policy: newPolicy(1), key: 'a' }
  const memory = memoryAttempts(systemClock)
  const countFailures = failureCounting(async (counters) => {
    const usages = await memory.begin(counters)
    if (!usages) throw new Error('memory is always available')
    return { usages, end: () => Promise.resolve(undefined) }
  })
  t.equal(await countFailures([counter], fail, isFailure), false)
  t.match(await memory.begin([counter]), [{ running: 1 }], 'its point stays reserved')
})

void t.test('reserves no point of any counter when one of them is used up', async (t) => {
  const [full, free] = [
    { policy: newPolicy(1), key: 'a' },
    { policy: newPolicy(2), key: 'b' },
  ]
  await limits.countFailures([full], fail, isFailure)
  await t.rejects(limits.countFailures([free, full], succeed, isFailure), { code: 'rate_limited' })
  const { rateLimiter, remaining } = newRequest()
  await rateLimiter.countFailures([free], fail, isFailure)
  t.same(remaining(), { [free.policy.name]: 1 })
  await rateLimiter.countFailures([free], fail, isFailure)
  t.same(remaining(), { [free.policy.name]: 0 })
})

void t.test('enforces a hidden policy without reporting it', async (t) => {
  const hidden = { policy: { ...newPolicy(1), isHidden: true as const }, key: 'a' }
  const visible = { policy: newPolicy(5), key: 'a' }
  const { rateLimiter, remaining } = newRequest()
  await rateLimiter.countFailures([hidden, visible], fail, isFailure)
  await t.rejects(rateLimiter.countFailures([hidden, visible], fail, isFailure), { code: 'rate_limited' })
  t.same(remaining(), { [visible.policy.name]: 4 })
})

void t.test('reports policies in the order of their first use', async (t) => {
  const [first, second, third] = [newPolicy(5), newPolicy(5), newPolicy(5)]
  const { rateLimiter, remaining } = newRequest()
  await rateLimiter.countFailures(
    [
      { policy: first, key: 'a' },
      { policy: second, key: 'a' },
    ],
    async () => {
      await rateLimiter.consume({ policy: third, key: 'a' })
      return false
    },
    isFailure,
  )
  t.same(Object.entries(remaining()), [
    [first.name, 4],
    [second.name, 4],
    [third.name, 4],
  ])
})

void t.test('forgets failures and consumed points at the end of the window', async (t) => {
  for (const redisUrl of stores) {
    let shiftMs = 0
    const clock = { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs }
    const own = await openOwn(redisUrl, clock)
    t.teardown(() => own.close())
    const consumed = { policy: newPolicy(1), key: 'a' }
    await own.consume(consumed)
    const counters = [{ policy: newPolicy(1), key: 'a' }]
    await own.countFailures(counters, fail, isFailure)
    shiftMs = 890_000
    await t.rejects(own.countFailures(counters, fail, isFailure), { code: 'rate_limited' })
    await t.rejects(own.consume(consumed), { code: 'rate_limited' })
    shiftMs = 900_000
    t.equal(await own.countFailures(counters, fail, isFailure), false)
    await own.consume(consumed)
  }
})

void t.test('shares counters between instances', { skip: REDIS_URL ? false : 'it needs REDIS_URL' }, async (t) => {
  const options = { redisUrl: REDIS_URL, prefix: `test-${randomUUID()}`, log: jsonLog('silent') }
  const instances = [await openLimits(options), await openLimits(options)]
  t.teardown(() => {
    for (const instance of instances) instance.close()
  })
  const crowd = async (isRight: boolean): Promise<PromiseSettledResult<boolean>[]> => {
    const counters = [{ policy: newPolicy(10), key: isRight ? 'right' : 'wrong' }]
    const attempt = async (): Promise<boolean> => {
      await turn(3)
      return isRight
    }
    const [many, few] = [Array(30).fill(instances[0]), Array(10).fill(instances[1])] as Limits[][]
    const attempts = [...(many ?? []), ...(few ?? [])].map((each) => each.countFailures(counters, attempt, isFailure))
    return Promise.allSettled(attempts)
  }
  t.ok(
    (await crowd(true)).every(({ status }) => status === 'fulfilled'),
    'no attempt is rejected while none fails',
  )
  const wrong = await crowd(false)
  t.equal(
    wrong.filter(({ status }) => status === 'fulfilled').length,
    10,
    'no more attempts fail than there are points',
  )
})

for (const redisUrl of stores) {
  const where = redisUrl === undefined ? 'in this process' : 'in Redis'
  void t.test(`returns a point, except of an earlier window, ${where}`, async (t) => {
    let shiftMs = 0
    const clock = { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs }
    const own = await openOwn(redisUrl, clock)
    t.teardown(() => own.close())
    const counter = { policy: newPolicy(2), key: 'a' }
    const firstMs = clock.nowMs()
    await own.consume(counter)
    await own.consume(counter)
    await t.rejects(own.consume(counter), { code: 'rate_limited' })
    await own.giveBack(counter, firstMs)
    await own.consume(counter)
    await t.rejects(own.consume(counter), { code: 'rate_limited' })

    shiftMs += 901_000
    await own.giveBack(counter, firstMs)
    await own.consume(counter)
    await own.giveBack(counter, firstMs)
    await own.consume(counter)
    await t.rejects(own.consume(counter), { code: 'rate_limited' }, 'the window of the point has ended')
    for (let more = 0; more < 3; more++) await own.giveBack(counter, clock.nowMs())
    for (let more = 0; more < 2; more++) await own.consume(counter)
    await t.rejects(own.consume(counter), { code: 'rate_limited' }, 'no more points than the policy has')
  })
}

for (const redisUrl of stores) {
  const where = redisUrl === undefined ? 'in memory' : 'in Redis'

  void t.test(`eases a limit some time after its points were used, ${where}`, async (t) => {
    let shiftMs = 0
    const clock = { nowMs: () => Date.now() + shiftMs, shiftMs: () => shiftMs }
    const own = await openOwn(redisUrl, clock)
    t.teardown(() => own.close())
    const policy: Policy = { ...newPolicy(8), seconds: 3600, eases: { seconds: 600, percent: 25 } }
    const counter = { policy, key: 'a' }
    /** Consumes points until none is left, and returns how many there were. */
    const useUp = async (): Promise<number> => {
      for (let used = 0; ; used++) {
        const error = await own.consume(counter).then(
          () => undefined,
          (failure: unknown) => failure,
        )
        if (error) {
          const { code, retryAfterSeconds = 0 } = error as Pick<Failure, 'code' | 'retryAfterSeconds'>
          t.equal(code, 'rate_limited')
          t.ok(retryAfterSeconds > 500 && retryAfterSeconds <= 600, `${retryAfterSeconds} s`)
          return used
        }
      }
    }
    t.equal(await useUp(), 8)
    shiftMs += 600_000
    t.equal(await useUp(), 6, '8 points count for 2')
    shiftMs += 600_000
    t.equal(await useUp(), 5, '6 points count for 1.5')
    for (let times = 0; times < 3; times++) {
      shiftMs += 600_000
      t.ok((await useUp()) >= 1, 'one point is free again in any case')
    }
    const once = { policy: newPolicy(1), key: 'a' }
    await own.credit([counter], 3, once)
    t.equal(await useUp(), 3)
    shiftMs += 600_000
    t.equal(await useUp(), 8, 'the window has ended')
  })
}
