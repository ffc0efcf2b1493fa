// The connection of a transaction of Prisma, for SQL in the same transaction. Prisma ends a transaction that takes too long while
// the code that began it still runs. A later statement would be committed alone, on a connection that other work may use by then.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'

export type Adapter = Awaited<ReturnType<PrismaPg['connect']>>
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>

/** The connection of a transaction. It is undefined before the transaction begins and after it ends. */
export type Shared = { connection?: pg.PoolClient | undefined }

/** Set while Prisma begins a transaction whose connection is shared */
export const sharing = new AsyncLocalStorage<Shared | undefined>()

/** A statement after the end of its transaction. The code is that of Prisma for the same fault. */
class TransactionEnded extends Error {
  readonly code = 'P2028'
}

/** @throws TransactionEnded */
export function connectionOf({ connection }: Shared): pg.PoolClient {
  if (!connection) throw new TransactionEnded('the transaction has ended')
  return connection
}

/** Shares the connection of a transaction until its end, and rejects later statements of Prisma too. */
export function share(transaction: Transaction, shared: Shared): Transaction {
  const { queryRaw, executeRaw } = transaction
  shared.connection = (transaction as unknown as { client: pg.PoolClient }).client // a member that is not declared
  transaction.queryRaw = async (query) => {
    connectionOf(shared)
    return queryRaw.call(transaction, query)
  }
  transaction.executeRaw = async (query) => {
    const connection = connectionOf(shared)
    if (query.sql === 'COMMIT' || query.sql === 'ROLLBACK') shared.connection = undefined
    // It would wait for a statement that may never end. The pool closes a connection in a transaction, which rolls back too.
    if (query.sql === 'ROLLBACK' && isBusy(connection)) return 0
    return executeRaw.call(transaction, query)
  }
  return transaction
}

/** Returns whether a connection waits for the response to a statement, or has broken. */
function isBusy(connection: pg.PoolClient): boolean {
  return !(connection as unknown as { readyForQuery: boolean }).readyForQuery // not declared
}
