import type { Bind, Part } from '../../database/composed.ts'
import type { AccountType } from '../../domain/accounts/account.ts'
import type { DomainEvent } from '../../domain/event.ts'
import type { ReviewStatus } from '../../domain/profiles/profile.ts'
import { eventInsert, type EventOptions } from '../events/outbox.ts'

/** The state of an account after its update. `reviewStatus` is null without lawyer's data. */
type UpdatedAccount = Readonly<{ accountType: AccountType; reviewStatus: ReviewStatus | null }>

/** Builds the webhook event of an updated profile. A client has no review status. */
export function toProfileUpdated(accountId: number, { accountType, reviewStatus }: UpdatedAccount): DomainEvent {
  const review = accountType === 'lawyer' ? (reviewStatus ?? 'pending') : null
  return { type: 'profile.updated', data: { account_id: accountId, account_type: accountType, review_status: review } }
}

/** Returns the part that adds this event for a change of neither the account type nor the review status. */
export function addProfileUpdated(bind: Bind, eventOptions: EventOptions): Part {
  const rows = `
    SELECT 'profile.updated' AS type, a.id AS account_id, jsonb_build_object(
      'account_id', a.id, 'account_type', a.account_type,
      'review_status', CASE WHEN a.account_type = 'lawyer' THEN coalesce(l.review_status, 'pending') END) AS data
    FROM target t JOIN accounts a ON a.id = t.account_id LEFT JOIN lawyer_profiles l ON l.account_id = a.id`
  return { name: 'announced', sql: eventInsert(rows, bind, eventOptions) }
}
