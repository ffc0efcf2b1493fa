import type pg from 'pg'

/** Runs work, and returns the milliseconds that each of its statements took. */
export type MeasureStatements = (work: () => Promise<unknown>) => Promise<number[]>

type Query = (...args: unknown[]) => unknown

/** Measures the statements on the connections of a pool. Must be called before the pool opens its first connection. */
export function statementTimes(pool: pg.Pool): MeasureStatements {
  let times: number[] = []
  pool.on('connect', (client) => {
    const original = client.query.bind(client) as Query
    client.query = ((...args: unknown[]) => {
      const startMs = performance.now()
      const add = (): unknown => times.push(performance.now() - startMs)
      const callback = args.at(-1)
      if (typeof callback === 'function') {
        args[args.length - 1] = (...results: unknown[]) => {
          add()
          ;(callback as Query)(...results)
        }
        return original(...args)
      }
      const result = original(...args)
      if (result instanceof Promise) result.then(add, add)
      return result
    }) as typeof client.query
  })
  return async (work) => {
    times = []
    await work()
    return times
  }
}
