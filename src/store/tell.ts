import type { Prisma } from '../../generated/prisma/client.ts'
import type { News } from '../domain/event.ts'

/** Writes down what is to be told, as a part of the transaction that makes it true. */
export type Tell = (transaction: Prisma.TransactionClient, ...news: readonly News[]) => Promise<void>

/** @param isAddressed whether there is somebody to tell; otherwise it is written down and stays unsent */
export function teller(isAddressed: boolean): Tell {
  return async (transaction, ...news) => {
    if (news.length === 0) return
    await transaction.$executeRaw`
      INSERT INTO events (type, account_id, data, next_attempt_at)
      SELECT n->>'type', (n->'data'->>'account_id')::int, n->'data', CASE WHEN ${isAddressed} THEN now() END
      FROM jsonb_array_elements(${JSON.stringify(news)}::jsonb) AS n`
  }
}
