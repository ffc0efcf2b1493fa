import { narrowed, outerTable, pick, query, queryOnlyRow, table } from '../../database/sql.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import { invalidData } from '../../domain/failure.ts'
import type { Identity } from '../../domain/profiles/national-id.ts'
import { describeFindings, reviewRefusal, type Decision } from '../../domain/profiles/review.ts'
import type { ModelChange } from '../changes.ts'
import { DUPLICATE_IDS } from './duplicates.ts'

const l = outerTable('LawyerProfile', 'l')

/** A lawyer as a reviewer sees it. Without lawyer's data, its columns are null. */
const REVIEWED = query(
  {
    accountType: table('Account', 'a').accountType,
    gender: outerTable('Profile', 'p').gender,
    nationalId: l.nationalId,
    identityType: narrowed<number | null, Identity['identityType']>(l.identityType),
    ...pick(l, 'reviewStatus', 'reviewReason', 'reviewVersion'),
    duplicateIds: DUPLICATE_IDS,
  },
  (list) => `
    SELECT ${list} FROM accounts a
    LEFT JOIN profiles p ON p.account_id = a.id LEFT JOIN lawyer_profiles l ON l.account_id = a.id
    WHERE a.id = $1`,
  'reviewed-lawyer',
)

/**
 * Stores a decision about a lawyer, unless the lawyer already has it. The account must be locked.
 *
 * @param about what the audit event has besides its name; its subject describes the findings, if there are any
 * @throws Failure 422 on `user_id` if the account cannot be reviewed, and on `review_version` if it is outdated
 */
export async function writeReview(
  { tx, transaction, record }: ModelChange,
  id: number,
  decision: Decision,
  about: Omit<AuditEvent, 'event'>,
): Promise<undefined> {
  const { status, reason, version } = decision
  const { duplicateIds, ...lawyer } = await queryOnlyRow(transaction, REVIEWED, id)
  const refusal = reviewRefusal({ ...lawyer, lawyer })
  if (refusal) throw invalidData({ user_id: [refusal] })
  if (version !== lawyer.reviewVersion) throw invalidData({ review_version: ['outdated'] })
  if (lawyer.reviewStatus === status && lawyer.reviewReason === reason) return
  const subject = describeFindings(lawyer, duplicateIds) ?? about.subject
  await tx.lawyerProfile.update({
    where: { accountId: id },
    data: { reviewStatus: status, reviewReason: reason },
    select: { accountId: true },
  })
  await record(id, {
    auditEvents: [{ event: `lawyer_${status}`, ...about, subject }],
    domainEvents: [{ type: 'lawyer.reviewed', data: { account_id: id, review_status: status } }],
  })
}
