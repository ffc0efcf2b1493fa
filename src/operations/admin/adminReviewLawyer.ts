import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const adminReviewLawyer: Operation<'adminReviewLawyer'> = async (call, { store }) => {
  const { path, body, bearer, client, reply } = call
  const { decision: status, reason: note = null, review_version: version } = body
  const reason = status === 'rejected' ? note : null // which the lawyer sees
  await store.administration.review(
    { accountId: path.user_id, actor: bearer, auditContext: toAuditContext(client) },
    { status, reason, note, version },
  )

  return reply({ id: path.user_id, review_status: status, review_reason: reason })
}
