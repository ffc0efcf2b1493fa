import type pg from 'pg'
import { causesOf } from './error-causes.ts'

/** The SQLSTATE and the function of the server of a stale plan. The message depends on `lc_messages`. */
const STALE = { code: '0A000', routine: 'RevalidateCachedQuery' }

/**
 * Returns whether an error says that the columns of a prepared statement have changed since it was prepared, as a
 * migration of another instance can do. Nothing of the statement was run.
 */
export function isStalePlan(error: unknown): boolean {
  return causesOf(error).some(
    ({ code, originalCode, routine = STALE.routine }) =>
      (code === STALE.code || originalCode === STALE.code) && routine === STALE.routine,
  )
}

/** Runs a whole transaction again if one of its plans was stale. */
export async function retryStalePlans<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isStalePlan(error)) throw error
    return run()
  }
}

type Callback = (error: Error | undefined, result?: pg.QueryResult) => void
type Send = {
  (config: unknown, values?: unknown): Promise<pg.QueryResult>
  (config: unknown, values: unknown, callback: Callback): void
}

/**
 * Prepares all statements of a pool again when one of them is stale: their names get the number of a new generation. A
 * statement outside a transaction is repeated. Connections of earlier generations are closed when they are released.
 */
export function renewStalePlans(pool: pg.Pool): void {
  let generation = 0
  const generations = new WeakMap<pg.PoolClient, number>()

  const renewed = (config: { name: string }): object =>
    generation === 0 ? config : { ...config, name: `${config.name}_${generation}` }
  const isRepeatable = (error: unknown, client: pg.PoolClient, sentIn: number): boolean => {
    if (!isStalePlan(error)) return false
    if (generation === sentIn) generation++ // later errors of the same generation have the same cause
    return client.getTransactionStatus() === 'I'
  }
  const wrap = (client: pg.PoolClient): void => {
    const send = client.query.bind(client) as unknown as Send // the overloads differ only in their types
    const sendNamed = (config: { name: string }, values: unknown, callback: Callback | undefined): unknown => {
      const sentIn = generation
      if (!callback) {
        return send(renewed(config), values).catch((error: unknown) => {
          if (isRepeatable(error, client, sentIn)) return send(renewed(config), values)
          throw error
        })
      }
      send(renewed(config), values, (error, result) => {
        if (error && isRepeatable(error, client, sentIn)) send(renewed(config), values, callback)
        else callback(error, result)
      })
      return undefined
    }
    const query = (config: unknown, values: unknown, callback: Callback): unknown =>
      isNamed(config) && typeof values !== 'function'
        ? sendNamed(config, values, callback)
        : send(config, values, callback)
    Object.assign(client, { query })
  }
  pool.on('connect', (client) => {
    generations.set(client, generation)
    wrap(client)
  })
  pool.on('release', (_error, client) => {
    if ((generations.get(client) ?? 0) < generation) void client.end()
  })
}

function isNamed(config: unknown): config is { name: string } {
  return typeof config === 'object' && config !== null && 'name' in config && typeof config.name === 'string'
}
