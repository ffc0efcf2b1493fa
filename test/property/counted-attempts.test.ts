// The invariants of counted attempts, as src/adapters/limits/count-failures.ts numbers them, in this process and, with
// REDIS_URL, in Redis.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { openLimits, type Limits } from '../../src/adapters/limits/index.ts'
import type { Counter, RateLimitStatus } from '../../src/domain/rate-limiter.ts'
import type { Failure } from '../../src/domain/failure.ts'
import { jsonLog } from '../../src/lib/log.ts'

/** One of several parallel attempts: its counters, its outcome, and the number of turns until it settles. */
type Planned = { counters: number[]; outcome: 'success' | 'failure' | 'error'; turns: number }
type Plan = { points: number[]; attempts: Planned[] }

/** The result of an attempt. `failuresAtEnd` are the failures of its counters when it settled. */
type Settled = Planned & {
  settled: PromiseSettledResult<object>
  expected: object
  reports: (readonly RateLimitStatus[])[]
  failuresAtEnd: number[]
}
type Observed = { counters: Counter[]; settled: Settled[]; mostRunning: number[]; failures: number[] }

const COUNTERS = 3

const planned = fc.record({
  counters: fc.subarray([...Array(COUNTERS).keys()], { minLength: 1 }),
  outcome: fc.constantFrom('success' as const, 'failure' as const, 'error' as const),
  turns: fc.nat(5),
})
const points = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: COUNTERS, maxLength: COUNTERS })
const plan = fc.record({ points, attempts: fc.array(planned, { maxLength: 40 }) })
const planOfSuccesses = fc.record({
  points,
  attempts: fc.array(
    planned.map((each) => ({ ...each, outcome: 'success' as const })),
    { maxLength: 40 },
  ),
})

/** Resolves after some turns of the event loop, in which other attempts run. */
const turn = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => void turn(turns - 1).then(resolve)))

const isFailure = (result: object): boolean => 'hasFailed' in result

/** Starts all attempts of a plan at once, on counters that nothing else uses. */
async function observe(limits: Limits, { points, attempts }: Plan): Promise<Observed> {
  const key = randomUUID()
  const counters = points.map((each, at) => ({ policy: { name: `counter-${at}`, points: each, seconds: 900 }, key }))
  const [running, mostRunning, failures] = [points.map(() => 0), points.map(() => 0), points.map(() => 0)]

  const runOne = async (each: Planned): Promise<Settled> => {
    const expected = each.outcome === 'failure' ? { hasFailed: true } : each.outcome === 'error' ? new Error() : {}
    const reports: (readonly RateLimitStatus[])[] = []
    const attempt = async (): Promise<object> => {
      for (const at of each.counters) mostRunning[at] = Math.max(mostRunning[at] ?? 0, add(running, at, 1))
      await turn(each.turns)
      for (const at of each.counters) add(running, at, -1)
      if (expected instanceof Error) throw expected
      if (isFailure(expected)) for (const at of each.counters) add(failures, at, 1)
      return expected
    }
    const own = each.counters.flatMap((at) => counters[at] ?? [])
    const [settled] = await Promise.allSettled([
      limits.countFailures(own, attempt, isFailure, (statuses) => reports.push(statuses)),
    ])
    return { ...each, settled, expected, reports, failuresAtEnd: each.counters.map((at) => failures[at] ?? 0) }
  }
  return { counters, settled: await Promise.all(attempts.map(runOne)), mostRunning, failures }
}

function add(counts: number[], at: number, change: number): number {
  return (counts[at] = (counts[at] ?? 0) + change)
}

/** The refusal of a rejected attempt; undefined if it ran */
function refusalOf({ settled, expected }: Settled): Failure | undefined {
  if (settled.status === 'fulfilled' || settled.reason === expected) return undefined
  return settled.reason as Failure
}

/** Counts more failures until a counter rejects them; returns their number. */
async function countRest(limits: Limits, counter: Counter): Promise<number> {
  for (let rest = 0; ; rest++) {
    const attempt = limits.countFailures([counter], () => Promise.resolve({ hasFailed: true }), isFailure)
    if (!(await attempt.catch(() => undefined))) return rest
  }
}

t.jobs = 8 // attempts mostly wait for timers

const REDIS_URL = process.env['REDIS_URL']
const stores = [
  { where: 'in this process', redisUrl: undefined, numRuns: 60 },
  ...(REDIS_URL === undefined ? [] : [{ where: 'in Redis', redisUrl: REDIS_URL, numRuns: 10 }]),
]

for (const { where, redisUrl, numRuns } of stores) {
  const limits = await openLimits({ redisUrl, prefix: `test-${randomUUID()}`, log: jsonLog('silent') })
  t.teardown(() => limits.close())

  /** Asserts that a property is true for every plan that runs. */
  const always = (
    title: string,
    isTrue: (observed: Observed, plan: Plan) => boolean | Promise<boolean>,
    plans: fc.Arbitrary<Plan> = plan,
  ): void => {
    void t.test(`${title}, ${where}`, { buffered: true }, async (t) => {
      const property = fc.asyncProperty(plans, async (each) => isTrue(await observe(limits, each), each))
      await t.resolves(fc.assert(property, { numRuns }))
    })
  }

  always('1. lets at most as many attempts fail as a policy has points', ({ failures }, { points }) =>
    failures.every((count, at) => count <= (points[at] ?? 0)),
  )

  always('2. runs at most as many attempts at a time as a policy has points', ({ mostRunning }, { points }) =>
    mostRunning.every((count, at) => count <= (points[at] ?? 0)),
  )

  always(
    '3. never rejects attempts that all succeed',
    ({ settled }) => settled.every((each) => refusalOf(each) === undefined),
    planOfSuccesses,
  )

  always('4. rejects an attempt only because failures have used up one of its counters', ({ settled }, { points }) =>
    settled.every((each) => {
      const refusal = refusalOf(each)
      const isUsedUp = each.counters.some((at, index) => each.failuresAtEnd[index] === points[at])
      return refusal === undefined || (refusal.code === 'rate_limited' && isUsedUp)
    }),
  )

  always('5. returns the result of an attempt, or throws its error', ({ settled }) =>
    settled.every((each) => {
      if (refusalOf(each)) return true
      const { settled: result, expected } = each
      return (result.status === 'fulfilled' ? result.value : result.reason) === expected
    }),
  )

  always('5., 6. counts failures, and nothing for successes, errors and rejections', async (observed, { points }) => {
    const { counters, failures } = observed
    const rest = await Promise.all(counters.map((counter) => countRest(limits, counter)))
    return rest.every((left, at) => left === (points[at] ?? 0) - (failures[at] ?? 0))
  })

  always('7. reports every counter at the beginning, and again after a failure', ({ settled }, { points }) =>
    settled.every((each) => {
      const { counters, outcome, reports } = each
      const count = outcome === 'failure' && !refusalOf(each) ? 2 : 1
      const areComplete = reports.every((statuses) =>
        counters.every((counter, at) => statuses[at]?.policy.name === `counter-${counter}`),
      )
      const last = reports.at(-1) ?? []
      return (
        reports.length === count &&
        areComplete &&
        counters.every((counter, at) => {
          const remaining = last[at]?.remaining ?? -1
          // others may fail between the report and the end of the attempt
          return (
            remaining >= (points[counter] ?? 0) - (each.failuresAtEnd[at] ?? 0) &&
            remaining <= (points[counter] ?? 0) - (count - 1)
          )
        })
      )
    }),
  )
}
