import type { Operation } from '../../contract/operation.ts'
import type { OpenedUndo } from '../../domain/accounts/undo.ts'
import type { NewMail } from '../../domain/mail.ts'
import { invalidData, type FieldFailures } from '../../domain/failure.ts'
import { accountRequester } from '../../domain/requester.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { issueTokens } from '../../services/sessions/begin-session.ts'
import { checkNewPassword } from '../../services/profile/check-identity.ts'
import { verifyPassword } from '../../services/password/verify-password.ts'
import { announceChange, composeUndoable, newUndo } from '../../services/notifications/undo-notice.ts'

const EVENTS = { wrong: 'password_change_failed', limited: 'password_change_limited' } as const

export const changePassword: Operation<'changePassword'> = async (call, context) => {
  const { body, bearer, client, abandoned, reply } = call
  const { store, passwords } = context
  const given = { password: body.current_password, events: EVENTS }
  const { account, proof } = await verifyPassword(call, given, context)
  const requester = accountRequester(bearer.accountId, abandoned)
  const faults = await checkNewPassword(body.new_password, account.owner, requester, context)
  const wrong: FieldFailures = {
    ...(proof === 'password_wrong' && { current_password: ['password_wrong'] }),
    ...(faults.length > 0 && { new_password: faults }),
  }
  if (Object.keys(wrong).length > 0) throw invalidData(wrong)

  const newHash = await passwords.hash(body.new_password, requester)
  const { id: accountId, email: to } = account
  const notice = { accountId, to, about: 'password' } as const
  const undo = newUndo(context)
  const toMails = (opened: OpenedUndo): NewMail[] => composeUndoable([notice], opened, undo, call, context)
  const records = { auditContext: toAuditContext(client), undo, toMails }
  const changed = await store.passwords.change(bearer, { from: account.passwordHash, to: newHash, client, ...records })
  if (!changed) throw invalidData({ current_password: ['password_wrong'] }) // a concurrent change was faster
  const { sessionId, owner, opened } = changed
  announceChange(owner, { what: 'password', opened, undo }, call, context)

  return reply(issueTokens({ accountId: account.id, email: account.email, sessionId, generation: 0 }, context))
}
