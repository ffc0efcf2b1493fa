import type { Operation } from '../../contract/operation.ts'
import { refuseToken } from '../../services/refuse-token.ts'
import { undoByPhone, undoByToken } from '../../services/undo.ts'

export const undoChanges: Operation<'undoChanges'> = async (call, context) => {
  const { body, reply } = call
  if (body.by === 'phone') {
    const phone = context.phoneNumbers.read(body.phone_code, body.phone)
    const isUndone = await undoByPhone(phone, body.otp, call, context)
    if (!isUndone) await refuseToken('changes_undo_failed', { otp: ['otp_wrong'] }, call, context)
    return reply(null)
  }
  const isKnown = (await undoByToken(body.token, call, context)) !== undefined
  if (!isKnown) await refuseToken('changes_undo_failed', { token: ['undo_token_wrong'] }, call, context)

  return reply(null)
}
