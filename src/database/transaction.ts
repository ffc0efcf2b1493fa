import pg from 'pg'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { Failure } from '../domain/failure.ts'
import { shareConnection } from './connection/shared.ts'
import { retryStalePlans } from './stale-plans.ts'
import type { Driver } from './sql.ts'

/** Prisma's models, and a driver for SQL, in one transaction */
type ModelTransaction = Readonly<{ tx: Prisma.TransactionClient; driver: Driver }>

/**
 * The pool limits the wait for a connection to a server, and the server limits the time of a statement. The one connection of the
 * embedded database has no such limits: transactions take turns.
 */
const LIMITS_MS = { maxWait: 30_000, timeout: 10_000 }

/**
 * Runs work in an interactive transaction of Prisma. An error rolls it back. After a stale plan, the work runs again. The work must
 * use nothing but the transaction: another connection might never become available.
 */
export async function inModelTransaction<Result>(
  prisma: PrismaClient,
  work: (transaction: ModelTransaction) => Promise<Result>,
  limitsMs = LIMITS_MS,
): Promise<Result> {
  const share = async (tx: Prisma.TransactionClient): Promise<Result> => {
    const connection = await shareConnection(tx)
    return work({ tx, driver: { query: async (config) => connection().query(config) } })
  }
  return retryStalePlans(() => prisma.$transaction(share, limitsMs))
}

/** Loads the query compiler of Prisma, which takes a third of a second that the first request would wait. */
export async function warmUp(prisma: PrismaClient): Promise<void> {
  await inModelTransaction(prisma, ({ tx }) => tx.enabledFeature.count())
}

/** Runs work in a transaction on one connection. An error rolls it back. After a stale plan, the work runs again. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return retryStalePlans(async () => {
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
  })
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
