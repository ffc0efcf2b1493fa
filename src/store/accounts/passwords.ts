import type { Bearer, Contact } from '../../domain/accounts/account.ts'
import type { NewUndo, OpenedUndo } from '../../domain/accounts/undo.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { column } from '../../database/columns.ts'
import { assigned } from '../../database/composed.ts'
import type { StoreParts } from '../changes.ts'
import { lockAccountForUpdate } from './lock-account.ts'
import { revoke } from '../revocation/index.ts'
import { newSession } from '../sessions/begin.ts'
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
  client: { address: string; userAgent: string | undefined }
  auditContext: AuditContext
  undo: NewUndo
  /** Returns the e-mails about the change. */
  toMails: (opened: OpenedUndo) => readonly NewMail[]
}>

export type ChangedPassword = Readonly<{ sessionId: string; owner: Contact; opened: OpenedUndo }>

export function passwords({ inChange }: StoreParts): Passwords {
  return {
    async change(bearer, { from, to, client, auditContext, undo, toMails }) {
      const { accountId } = bearer
      return inChange(async (change) => {
        const owner = await lockAccountForUpdate(change, bearer)
        const { passwordHash, factorsSince } = owner
        if (passwordHash !== from) return undefined
        const opened = await openUndo(change, owner, undo)
        const changed = await change.write(accountId, {
          parts: (bind) => [
            ...revoke({ askedBy: bearer.sessionId, assigned: assigned({ passwordHash: to }, bind) }, bind),
            newSession({ ...client, replacedId: bearer.sessionId, keepsProof: factorsSince !== null }, bind),
          ],
          columns: { sessionId: column<string>('(SELECT id FROM new_session)') },
          isUpdate: 'if changed',
          auditEvents: [{ event: 'password_changed', accountId, ...auditContext }],
          mails: toMails(opened),
        })
        return changed && { ...changed, owner, opened }
      })
    },
  }
}
