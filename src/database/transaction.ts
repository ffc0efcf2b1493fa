import pg from 'pg'
import { Failure } from '../domain/failure.ts'
import { retryStalePlans } from './query.ts'

/** Runs work in a transaction on one connection. An error rolls it back. After a stale plan, the work runs again. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return retryStalePlans(() => runOnce(pool, work))
}

async function runOnce<Result>(pool: pg.Pool, work: (connection: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const connection = await pool.connect()
  let isUsable = true
  try {
    await connection.query('BEGIN')
    const result = await work(connection)
    await connection.query('COMMIT')
    return result
  } catch (error) {
    isUsable = (error instanceof Failure || error instanceof pg.DatabaseError) && (await rollBack(connection))
    throw error
  } finally {
    connection.release(!isUsable) // a connection that does not respond is closed, which rolls back too
  }
}

async function rollBack(connection: pg.PoolClient): Promise<boolean> {
  return connection.query('ROLLBACK').then(
    () => true,
    () => false,
  )
}

/** Runs work in a transaction of a session that nothing else uses. An error rolls it back. */
export async function transact(client: Pick<pg.ClientBase, 'query'>, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    await work()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
