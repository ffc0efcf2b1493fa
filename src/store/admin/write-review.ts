import type { Prisma } from '../../../generated/prisma/client.ts'
import type { EventName } from '../../domain/audit/audit-context.ts'
import type { DomainEvent } from '../../domain/event.ts'
import { invalidData } from '../../domain/failure.ts'
import { describeFindings, reviewRefusal, type Decision } from '../../domain/profiles/review.ts'
import { readCredentials } from './duplicates.ts'

type Transaction = Prisma.TransactionClient
/** The result of an action. `event` is its audit event; undefined if nothing has changed. */
export type Done<Result> = {
  result: Result
  event: EventName | undefined
  subject?: string | undefined
  domainEvent?: DomainEvent
}

/**
 * Stores a decision about a lawyer, unless the lawyer already has it.
 *
 * @throws Failure 422 on `user_id` if the account cannot be reviewed, and on `review_version` if it is outdated
 */
export async function writeReview(transaction: Transaction, id: number, decision: Decision): Promise<Done<undefined>> {
  if (await isReviewed(transaction, id, decision)) return { result: undefined, event: undefined }
  const { status, reason } = decision
  const { duplicateIds, ...identity } = await readCredentials(transaction, id)
  const data = { reviewStatus: status, reviewReason: reason }
  await transaction.lawyerProfile.update({ where: { accountId: id }, data, select: { accountId: true } })
  return {
    result: undefined,
    event: `lawyer_${status}`,
    subject: describeFindings(identity, duplicateIds),
    domainEvent: { type: 'lawyer.reviewed', data: { account_id: id, review_status: status } },
  }
}

/** Returns whether a lawyer already has this review. */
async function isReviewed(
  transaction: Transaction,
  id: number,
  { status, reason, version }: Decision,
): Promise<boolean> {
  const { accountType, profile, lawyer } = await transaction.account.findUniqueOrThrow({
    where: { id },
    select: {
      accountType: true,
      profile: { select: { gender: true } },
      lawyer: { select: { nationalId: true, reviewStatus: true, reviewReason: true, reviewVersion: true } },
    },
  })
  const refusal = reviewRefusal({ accountType, gender: profile?.gender ?? null, lawyer })
  if (refusal) throw invalidData({ user_id: [refusal] })
  if (version !== lawyer?.reviewVersion) throw invalidData({ review_version: ['outdated'] })
  return lawyer.reviewStatus === status && lawyer.reviewReason === reason
}
