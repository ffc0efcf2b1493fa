import type { Prisma } from '../../generated/prisma/client.ts'
import type { News } from '../domain/event.ts'

/** What is told of an account whose profile has changed, as the transaction that changes it leaves it. */
export async function profileNews(transaction: Prisma.TransactionClient, accountId: number): Promise<News> {
  const { accountType, lawyer } = await transaction.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { accountType: true, lawyer: { select: { reviewStatus: true } } },
  })
  const review = accountType === 'lawyer' ? (lawyer?.reviewStatus ?? 'pending') : null
  return { type: 'profile.updated', data: { account_id: accountId, account_type: accountType, review_status: review } }
}
