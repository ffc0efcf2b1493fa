import { outerTable, select, table } from '../../database/columns.ts'
import { query, queryOnlyRow, type Executor } from '../../database/query.ts'
import type { AccountType } from '../../domain/accounts/account.ts'
import type { DomainEvent } from '../../domain/event.ts'
import type { ReviewStatus } from '../../domain/profiles/profile.ts'

/** The state of an account in the event of its update. `reviewStatus` is null without lawyer's data. */
export type UpdatedAccount = Readonly<{ accountType: AccountType; reviewStatus: ReviewStatus | null }>

export const UPDATED_ACCOUNT = {
  accountType: table('Account', 'a').accountType,
  reviewStatus: outerTable('LawyerProfile', 'l').reviewStatus,
}

const BY_ID = query(
  select<UpdatedAccount>(UPDATED_ACCOUNT),
  (list) => `SELECT ${list} FROM accounts a LEFT JOIN lawyer_profiles l ON l.account_id = a.id WHERE a.id = $1`,
  'updated-account',
)

/** Returns the webhook event of an updated profile, with the state at this point of the transaction. */
export async function profileUpdatedEvent(transaction: Executor, accountId: number): Promise<DomainEvent> {
  return toProfileUpdated(accountId, await queryOnlyRow(transaction, BY_ID, accountId))
}

/** Builds the webhook event of an updated profile. A client has no review status. */
export function toProfileUpdated(accountId: number, { accountType, reviewStatus }: UpdatedAccount): DomainEvent {
  const review = accountType === 'lawyer' ? (reviewStatus ?? 'pending') : null
  return { type: 'profile.updated', data: { account_id: accountId, account_type: accountType, review_status: review } }
}
