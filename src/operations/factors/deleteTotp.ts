import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { announceFactorChange, composeFactorMails } from '../../services/factors/notify.ts'

export const deleteTotp: Operation<'deleteTotp'> = async (call, context) => {
  const { bearer, client, reply } = call
  const { factors } = context.store
  const owner = await factors.read(bearer)
  const mails = composeFactorMails('totp_removed', owner, call, context)
  const isRemoved = await factors.deleteTotp(bearer, { auditContext: toAuditContext(client), mails })
  if (isRemoved) announceFactorChange(owner, call, context)

  return reply(null)
}
