import type { Data, Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { changeOnce } from '../../services/administration/changes.ts'

export const adminReviewLawyer: Operation<'adminReviewLawyer'> = async (call, context) => {
  const { path, body, bearer, client, reply } = call
  const { decision: status, reason: note = null, review_version: version } = body
  const reason = status === 'rejected' ? note : null // which the lawyer sees
  const action = { accountId: path.user_id, actor: bearer, auditContext: toAuditContext(client) }
  const data = await changeOnce(call, context, {
    run: (completion) => context.store.administration.review(action, { status, reason, note, version }, completion),
    serialize: (): Data<'adminReviewLawyer'> => ({ id: path.user_id, review_status: status, review_reason: reason }),
  })

  return reply(data)
}
