import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { refuseToken } from '../../services/refuse-token.ts'

export const cancelFactorReset: Operation<'cancelFactorReset'> = async (call, context) => {
  const { body, client, reply } = call
  const { store, resetTokens } = context
  const isCancelled = await store.factors.cancelReset(resetTokens.hash(body.token), toAuditContext(client))
  if (!isCancelled) return refuseToken('factor_reset_cancellation_failed', { token: ['token_wrong'] }, call, context)

  return reply(null)
}
