import type pg from 'pg'
import { execute, type Driver } from '../../database/sql.ts'

/** A batch may wait for a busy database longer than a request may. */
export const STATEMENT_MS_MAX = 60_000

const TRIES_MAX = 5

/** PostgreSQL: deadlock or serialization failure with a concurrent registration */
const RETRIED = new Set(['40P01', '40001'])

/** The data of a decision has changed, so the transaction has to be retried. */
export class Outdated extends Error {
  override readonly name = 'Outdated'
}

/** An option of statements that the types of pg lack */
const TIMEOUT = { query_timeout: STATEMENT_MS_MAX }

/** Returns a driver with the longer timeout of imports. */
export function importDriver(client: pg.PoolClient): Driver {
  return { query: (config) => client.query({ ...config, ...TIMEOUT }) }
}

/** Runs a transaction, and retries it after conflicts with concurrent changes. */
export async function inTransaction<Result>(driver: Driver, act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      await execute(driver, 'BEGIN')
      const result = await act()
      await execute(driver, 'COMMIT')
      return result
    } catch (error) {
      await execute(driver, 'ROLLBACK').catch(() => undefined) // fails if the connection is broken
      if (!isRetried(error) || tries === TRIES_MAX) throw error
    }
  }
}

function isRetried(error: unknown): boolean {
  return error instanceof Outdated || RETRIED.has((error as { code?: string }).code ?? '')
}
