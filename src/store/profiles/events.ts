import type { Prisma } from '../../../generated/prisma/client.ts'
import type { DomainEvent } from '../../domain/event.ts'

/** Returns the webhook event of an updated profile, with the state at this point of the transaction. */
export async function profileUpdatedEvent(
  transaction: Prisma.TransactionClient,
  accountId: number,
): Promise<DomainEvent> {
  const { accountType, lawyer } = await transaction.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { accountType: true, lawyer: { select: { reviewStatus: true } } },
  })
  const review = accountType === 'lawyer' ? (lawyer?.reviewStatus ?? 'pending') : null
  return { type: 'profile.updated', data: { account_id: accountId, account_type: accountType, review_status: review } }
}
