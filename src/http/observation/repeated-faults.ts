import type { Log } from '../../lib/log.ts'

const INTERVAL_MS = 1000

type Fault = Readonly<{ requestId: string; operationId: string | undefined; code: string; cause: unknown }>

/** Logs a fault, or counts it if the same one was logged less than a second ago. */
export type LogFault = (fault: Fault) => void

/**
 * Returns a function that logs faults of dependencies. While a dependency is unavailable, many requests fail in the same
 * way: the first one is logged with its cause, and then a line each second has the number of the others.
 */
export function repeatedFaults(log: Pick<Log, 'warn'>): LogFault {
  const repeated = new Map<string, number>()

  return ({ cause, ...about }) => {
    const { code } = about
    const count = repeated.get(code)
    if (count !== undefined) {
      repeated.set(code, count + 1)
      return
    }
    log.warn({ ...about, err: cause }, 'request failed: service unavailable')
    const report = (): void => {
      const more = repeated.get(code) ?? 0
      repeated.delete(code)
      if (more === 0) return
      log.warn({ code, count: more }, 'requests failed: service unavailable')
      start()
    }
    const start = (): void => {
      repeated.set(code, 0)
      setTimeout(report, INTERVAL_MS).unref()
    }
    start()
  }
}
