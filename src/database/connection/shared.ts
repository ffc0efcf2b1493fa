// The connection of a transaction of Prisma, for SQL in the same transaction. Prisma ends a transaction that takes too long while
// the code that began it still runs. A later statement would be committed alone, on a connection that other work may use by then.
import type { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import type { Prisma } from '../../../generated/prisma/client.ts'

export type Adapter = Awaited<ReturnType<PrismaPg['connect']>>
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>

/** The connection of a transaction. It is undefined after the transaction has ended. */
type Shared = { connection?: pg.PoolClient | undefined }

/** A statement after the end of its transaction. The code is that of Prisma for the same fault. */
class TransactionEnded extends Error {
  readonly code = 'P2028'
}

/** @throws TransactionEnded */
function connectionOf({ connection }: Shared): pg.PoolClient {
  if (!connection) throw new TransactionEnded('the transaction has ended')
  return connection
}

/**
 * Asks the adapter for the connection of its transaction, and is not sent to the server. An AsyncLocalStorage would find it
 * too, and make each promise of the process dearer: a whoami took 1.16 times as long.
 */
const ASK = 'SELECT $1 AS asked'
const asked = new Map<number, Shared>()
let last = 0

/** Returns a function that returns the connection of a transaction, and throws TransactionEnded after its end. */
export async function shareConnection(tx: Prisma.TransactionClient): Promise<() => pg.PoolClient> {
  const key = ++last
  try {
    await tx.$executeRawUnsafe(ASK, key)
    const shared = asked.get(key) ?? {}
    return () => connectionOf(shared)
  } finally {
    asked.delete(key)
  }
}

/** Answers `shareConnection`, and rejects statements of Prisma after the end of a transaction. */
export function share(transaction: Transaction): Transaction {
  const { queryRaw, executeRaw } = transaction
  const { client } = transaction as unknown as { client: pg.PoolClient } // a member that is not declared
  const shared: Shared = { connection: client }
  transaction.queryRaw = async (query) => {
    connectionOf(shared)
    return queryRaw.call(transaction, query)
  }
  transaction.executeRaw = async (query) => {
    const connection = connectionOf(shared)
    if (query.sql === ASK) {
      asked.set(Number(query.args[0]), shared)
      return 0
    }
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
