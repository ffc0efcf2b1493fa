import type { Operation } from '../../contract/operation.ts'
import { refuseToken } from '../../services/password/verify-password.ts'
import { undoReset } from '../../services/undo.ts'

export const undoPasswordReset: Operation<'undoPasswordReset'> = async (call, context) => {
  const { body, reply } = call
  if (!(await undoReset(body.token, call, context)))
    await refuseToken('password_reset_undo_failed', { token: ['undo_token_wrong'] }, call, context)

  return reply(null)
}
