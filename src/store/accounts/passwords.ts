// Changes of a password: `change` ends all sessions and begins one in place of the asking one. An update of the profile
// (../profiles/update-profile.ts) keeps the asking session, and ends the others. A reset (../recovery/reset.ts) and an undo
// (../undo/restore.ts) leave no session.
import type { Bearer, Contact } from '../../domain/accounts/account.ts'
import type { NewUndo, OpenedUndo } from '../../domain/accounts/undo.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { StoreParts } from '../changes.ts'
import { lockAndAuthorizeAccount } from './lock-account.ts'
import { revoke } from '../revocation/index.ts'
import { replaceEndedSession, type Client } from '../sessions/begin.ts'
import { openUndo } from '../undo/open.ts'

export type Passwords = {
  /**
   * Replaces the password hash with a revocation, unless it was changed concurrently, and creates a session. If the account
   * has a second factor, the session keeps the time at which the previous one proved it.
   *
   * @returns the id of the new session, and what undoes the change; undefined if the account now has another hash
   * @throws Failure 401 `token_revoked` if the session was revoked or the account is suspended, 403
   * `reauthentication_required`
   */
  change(bearer: Bearer, change: PasswordChange): Promise<ChangedPassword | undefined>
}

export type PasswordChange = Readonly<{
  from: string
  to: string
  client: Client
  auditContext: AuditContext
  undo: NewUndo
  /** Returns the e-mails about the change. */
  toMails: (opened: OpenedUndo) => readonly NewMail[]
}>

export type ChangedPassword = Readonly<{ sessionId: string; owner: Contact; opened: OpenedUndo }>

export function passwords({ inModelChange }: StoreParts): Passwords {
  return {
    change: (bearer, { from, to, client, auditContext, undo, toMails }) =>
      inModelChange(async (change) => {
        const { accountId, sessionId: askedBy } = bearer
        const owner = await lockAndAuthorizeAccount(change, bearer)
        if (owner.passwordHash !== from) return undefined
        const opened = await openUndo(change, owner, undo)
        const revoked = await revoke(change, accountId, { askedBy }, { passwordHash: to })
        const sessionId = await replaceEndedSession(change, owner, { ...client, replacedId: askedBy })
        await change.record(accountId, {
          ...revoked,
          auditEvents: [{ event: 'password_changed', accountId, ...auditContext }],
          mails: toMails(opened),
        })
        return { sessionId, owner, opened }
      }),
  }
}
