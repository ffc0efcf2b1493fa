import type pg from 'pg'

/** A batch may wait for a busy database longer than a request may. */
export const STATEMENT_MS_MAX = 60_000

const TRIES_MAX = 5

/** PostgreSQL: a deadlock with a registration, or no serial order with one */
const RETRIED = new Set(['40P01', '40001'])

/** What was decided on does not hold any more: the transaction has to be tried again. */
export class Outdated extends Error {
  override readonly name = 'Outdated'
}

export async function ask<Row extends object>(
  client: pg.PoolClient,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: STATEMENT_MS_MAX }
  return (await client.query<Row>(query)).rows
}

/** All of it or nothing; again, where others were in the way. */
export async function inTransaction<Answer>(client: pg.PoolClient, act: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      await ask(client, 'BEGIN')
      const answer = await act()
      await ask(client, 'COMMIT')
      return answer
    } catch (error) {
      await ask(client, 'ROLLBACK').catch(() => undefined) // the connection may be what broke
      if (!isRetried(error) || tries === TRIES_MAX) throw error
    }
  }
}

function isRetried(error: unknown): boolean {
  return error instanceof Outdated || RETRIED.has((error as { code?: string }).code ?? '')
}
