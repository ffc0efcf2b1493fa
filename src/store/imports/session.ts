import type pg from 'pg'
import type { Query } from '../../database/sql.ts'

/** A batch may wait for a busy database longer than a request may. */
export const STATEMENT_MS_MAX = 60_000

const TRIES_MAX = 5

/** PostgreSQL: deadlock or serialization failure with a concurrent registration */
const RETRIED = new Set(['40P01', '40001'])

/** The data of a decision has changed, so the transaction has to be retried. */
export class Outdated extends Error {
  override readonly name = 'Outdated'
}

/** Runs a statement with the longer timeout of imports, and returns its rows. */
export async function queryRows<Row>(
  client: pg.PoolClient,
  { text, read }: Query<Row>,
  ...values: readonly unknown[]
): Promise<Row[]> {
  return (await run(client, text, ...values)).rows.map(read)
}

/** Runs a statement with the longer timeout of imports. */
export async function run(
  client: pg.PoolClient,
  text: string,
  ...values: readonly unknown[]
): Promise<pg.QueryResult<object>> {
  const config: pg.QueryConfig & { query_timeout: number } = {
    text,
    values: [...values],
    query_timeout: STATEMENT_MS_MAX,
  }
  return client.query<object>(config)
}

/** Runs a transaction, and retries it after conflicts with concurrent changes. */
export async function inTransaction<Result>(client: pg.PoolClient, act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      await run(client, 'BEGIN')
      const result = await act()
      await run(client, 'COMMIT')
      return result
    } catch (error) {
      await run(client, 'ROLLBACK').catch(() => undefined) // fails if the connection is broken
      if (!isRetried(error) || tries === TRIES_MAX) throw error
    }
  }
}

function isRetried(error: unknown): boolean {
  return error instanceof Outdated || RETRIED.has((error as { code?: string }).code ?? '')
}
