import { Failure } from '../../domain/failure.ts'
import type { Counter } from '../../domain/limits/policy.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { CountFailures } from './count-failures.ts'
import type { ReportStatuses } from './statuses.ts'

type Counting = {
  consume(counters: Counter | readonly Counter[], report?: ReportStatuses): Promise<void>
  countFailures: CountFailures
}

/** Counts rejections by policy. One that passes through several calls counts once. */
export function countRefusals<Limits extends Counting>(limits: Limits, metrics: Metrics | undefined): Limits {
  if (!metrics) return limits
  const counted = new WeakSet<Failure>()
  const count = (error: unknown): never => {
    if (error instanceof Failure && error.counter && !counted.has(error)) {
      counted.add(error)
      metrics.count('tawthiq_rate_limit_refusals_total', { policy: error.counter.policy.name })
    }
    throw error
  }
  return {
    ...limits,
    consume: (...given) => limits.consume(...given).catch(count),
    countFailures: (...given) => limits.countFailures(...given).catch(count),
  }
}
