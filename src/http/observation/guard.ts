import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'

/** What observes requests, as the metric of failures names it */
type Observer = 'request' | 'metrics' | 'access_line' | 'trace' | 'fault_log'

/** Returns an observer that does not throw: it returns undefined instead. */
export type Guard = <Given extends readonly unknown[], Result>(
  observer: Observer,
  observe: (...given: Given) => Result,
) => (...given: Given) => Result | undefined

/**
 * Returns a function that guards observers. They run in events of connections, where an exception would end the process,
 * and a bug in them must not fail a request. Exceptions are counted, and the first one of each observer is logged.
 */
export function guardObservers(log: Pick<Log, 'error'>, metrics: Metrics | undefined): Guard {
  const logged = new Set<Observer>()
  const report = (observer: Observer, error: unknown): void => {
    try {
      metrics?.count('tawthiq_observation_failures_total', { observer })
      if (logged.has(observer)) return
      logged.add(observer)
      log.error(
        { observer, err: error },
        'observation of requests failed, requests are not affected: please report this bug. Further failures are counted in tawthiq_observation_failures_total',
      )
    } catch {
      // What reports failures has failed itself.
    }
  }
  return (observer, observe) =>
    (...given) => {
      try {
        return observe(...given)
      } catch (error) {
        report(observer, error)
        return undefined
      }
    }
}
