import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { refuseToken } from '../../services/refuse-token.ts'
import { undoByToken } from '../../services/undo.ts'

export const cancelEmailChange: Operation<'cancelEmailChange'> = async (call, context) => {
  const { body, bearer, reply } = call
  const token = body?.token
  if (token !== undefined) {
    const refusal = { token: ['email_token_wrong'] } as const
    const outcome = await undoByToken(token, call, context)
    if (!outcome) return refuseToken('email_cancellation_failed', refusal, call, context)
    return reply({ undone: outcome === 'undone' })
  }
  if (!bearer) throw new Failure('token_missing')
  await context.store.undos.cancelOwn(bearer, toAuditContext(call.client))

  return reply({ undone: false })
}
