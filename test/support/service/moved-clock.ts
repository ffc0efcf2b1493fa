// The clock of a test also moves `service_now()`, the time of the statements. A move takes effect before the pool gives out its next
// connection, so that tests move their clock without waiting.
import { promisify } from 'node:util'
import pg from 'pg'
import type { Database } from '../../../src/database/index.ts'
import type { Clock } from '../../../src/domain/clock.ts'
import { runStatements } from './roles.ts'

type Connected = (error?: Error, client?: pg.PoolClient, done?: (broken?: boolean) => void) => void

type Mover = {
  isBehind(client: pg.PoolClient): boolean
  move(client: pg.PoolClient): Promise<void>
}

const movers = new WeakMap<pg.Pool, Mover>()

/**
 * Makes the statements of a database follow the clock of a test.
 *
 * @param ownerUrl the server, as a user who may replace functions; undefined for an embedded database
 */
export function followClock({ pool }: Pick<Database, 'pool'>, clock: Clock, ownerUrl?: string): void {
  movers.set(pool, ownerUrl === undefined ? embeddedMover(clock) : serverMover(clock, ownerUrl))
}

const { connect } = pg.Pool.prototype as { connect(callback: Connected): void }

Reflect.set(pg.Pool.prototype, 'connect', function connectMoved(this: pg.Pool, callback?: Connected): unknown {
  const given = (connected: Connected): void => connect.call(this, moved(this, connected))
  if (!callback) return promisify(given)()
  given(callback)
  return undefined
})

/** Returns a callback that moves the time first, if the clock has been moved. */
function moved(pool: pg.Pool, callback: Connected): Connected {
  return (error, client, done) => {
    const mover = movers.get(pool)
    if (!client || !mover?.isBehind(client)) {
      callback(error, client, done)
      return
    }
    mover.move(client).then(
      () => callback(undefined, client, done),
      (failure: unknown) => {
        done?.(true)
        callback(failure as Error)
      },
    )
  }
}

/** Connections share the function. Concurrent replacements of it fail, so they wait for one that runs. */
function serverMover(clock: Clock, ownerUrl: string): Mover {
  let aheadMs = 0
  let moving: Promise<void> | undefined
  const move = async (): Promise<void> => {
    while (clock.shiftMs() !== aheadMs) {
      const ms = clock.shiftMs()
      await runStatements(ownerUrl, [replacement(`'${ms} ms'`)])
      aheadMs = ms
    }
  }
  return {
    isBehind: () => moving !== undefined || clock.shiftMs() !== aheadMs,
    move: () => (moving ??= move().finally(() => (moving = undefined))),
  }
}

/** How far connections to embedded databases are ahead, in milliseconds */
const aheadMs = new WeakMap<pg.PoolClient, number>()

/**
 * An embedded database has one connection, which moves itself before it is given out. The function reads a setting of the session,
 * because each replacement of a function discards the plans that use it, and tests that often wait would take twice the CPU time.
 */
function embeddedMover(clock: Clock): Mover {
  return {
    isBehind: (client) => clock.shiftMs() !== (aheadMs.get(client) ?? 0),
    async move(client) {
      const ms = clock.shiftMs()
      if (!aheadMs.has(client))
        await client.query(replacement(`coalesce(nullif(current_setting('test.ahead', true), ''), '0')`))
      await client.query(`SET test.ahead = '${ms} ms'`)
      aheadMs.set(client, ms)
    },
  }
}

/** @param ahead an interval as text */
function replacement(ahead: string): string {
  return `
    CREATE OR REPLACE FUNCTION service_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT now() + ${ahead}::interval $$`
}
