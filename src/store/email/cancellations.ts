import type { EmailTokenPurpose } from '../../../generated/prisma/client.ts'
import type { Bearer, Contact } from '../../domain/accounts/account.ts'
import { maskEmail } from '../../domain/text.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { select, table } from '../../database/columns.ts'
import { isToken, lockByEmailToken, type EmailToken } from './tokens.ts'
import { cancelledReset } from '../factors/state.ts'
import { removeYoungFactors, type Records as FactorRecords } from '../factors/enrollment.ts'
import { cancel, cancelsDeletion, changedAt, undo, type Replacement } from './undo.ts'
import { throwIfEmailTaken } from '../../database/database-errors.ts'
import { NOW, query, queryRow } from '../../database/query.ts'
import { lockAccountForUpdate } from '../accounts/lock-account.ts'
import { revoke, deleteTokens } from '../revocation/index.ts'
import type { Change, ModelChange, StoreParts } from '../changes.ts'
import { RELEASED_EMAIL } from '../recovery/locks.ts'

type Hash = Uint8Array<ArrayBuffer>

/** The result of a token of the old address: `email` is that address, and `before` the account before the change. */
export type EmailCancellation = Readonly<{
  outcome: 'cancelled' | 'undone'
  email: string
  before: Contact
  /** Another account that had the restored address unverified, and lost it */
  releasedId: number | undefined
}>

export type EmailCancellations = {
  /**
   * Cancels the pending change of the account of a token, if any. Never undoes a confirmed one.
   *
   * @throws Failure 401 `token_revoked`
   */
  cancelOwn(bearer: Bearer, auditContext: AuditContext): Promise<void>
  /** Returns whether a token is valid. */
  has(tokenHash: Hash): Promise<boolean>
  /**
   * Cancels the pending change of an address, or undoes the change.
   *
   * @param made new values for an undone change: the hash of an unknown password, and of a token that resets it
   * @returns undefined if the token is no longer valid
   * @throws Failure 422 on `token` if another account has since verified the old address
   */
  use(tokenHash: Hash, made: Replacement, records: Records): Promise<EmailCancellation | undefined>
}

type Records = Readonly<{
  auditContext: AuditContext
  toMails: (done: EmailCancellation) => readonly NewMail[]
  /** What the removal of second factors with an undone change records */
  removal: FactorRecords
}>

const PURPOSES: readonly EmailTokenPurpose[] = ['cancel', 'undo']

const HAS = `SELECT 1 FROM email_tokens WHERE token_hash = $2 AND purpose IN ('cancel', 'undo') AND expires_at > ${NOW}`

/** Releases the restored address from an account that has not verified it. A thief could register it to block undo. */
const RELEASE = query(
  select<{ id: number }>({ id: table('Account', 'a').id }),
  (list) => `
    UPDATE accounts a SET email = ${RELEASED_EMAIL}, email_changed_at = ${NOW}, pending_email = NULL
    WHERE a.email = $2 AND a.id <> $3 AND a.email_verified_at IS NULL RETURNING ${list}`,
)

export function emailCancellations({ pool, shift, inChange, inModelChange }: StoreParts): EmailCancellations {
  return {
    async cancelOwn(bearer, auditContext) {
      await inChange(async (change) => {
        const before = await lockAccountForUpdate(change, bearer)
        const { accountId, email, pendingEmail } = before
        if (pendingEmail === null) return
        const done = { outcome: 'cancelled', email, before, releasedId: undefined } as const
        await change.write(accountId, { parts: cancel, isUpdate: true, auditEvents: toAuditEvents(done, auditContext) })
      })
    },
    async has(tokenHash) {
      return (await pool.query(HAS, [shift(), tokenHash])).rowCount === 1
    },
    async use(tokenHash, made, { auditContext, toMails, removal }) {
      const use = async (change: ModelChange): Promise<EmailCancellation | undefined> => {
        const token = await lockByEmailToken(change, tokenHash, PURPOSES)
        if (!token) return undefined
        const { write } = change
        const { account, purpose, email } = token
        const { accountId } = account
        if (purpose === 'cancel' && account.pendingEmail === null) {
          await write(accountId, { parts: (bind) => [deleteTokens(isToken(tokenHash, bind))] })
          return undefined
        }
        const released = purpose === 'undo' ? await releaseOther(change, token) : undefined
        if (released) await write(released.id, { parts: (bind) => revoke({ askedBy: null }, bind), isUpdate: true })
        const done: EmailCancellation =
          purpose === 'undo'
            ? { outcome: 'undone', email, before: account, releasedId: released?.id }
            : { outcome: 'cancelled', email: account.email, before: account, releasedId: undefined }
        await write(accountId, {
          parts: (bind) => (purpose === 'undo' ? undo(token, made, bind) : cancel(bind)),
          isUpdate: true,
          auditEvents: toAuditEvents(done, auditContext, token),
          mails: toMails(done),
        })
        if (purpose === 'undo') {
          await removeYoungFactors(change, { accountId, email }, { at: changedAt(token), ...removal })
        }
        return done
      }
      return inModelChange(use).catch(throwIfEmailTaken('token'))
    },
  }
}

function toAuditEvents(
  { outcome, email, before, releasedId }: EmailCancellation,
  auditContext: AuditContext,
  token?: EmailToken,
): AuditEvent[] {
  const isUndone = outcome === 'undone'
  const { accountId } = before
  const event = isUndone ? 'email_change_undone' : 'email_change_cancelled'
  return [
    { event, ...auditContext, accountId, subject: maskEmail(email) },
    ...(isUndone && token ? cancelledReset(token.account, { ...auditContext, accountId, subject: null }) : []),
    ...(isUndone && token && cancelsDeletion(token.account.deletionDueAt, changedAt(token))
      ? [{ event: 'deletion_cancelled', ...auditContext, accountId } as const]
      : []),
    ...(releasedId === undefined ? [] : [{ event: 'email_released', ...auditContext, accountId: releasedId } as const]),
  ]
}

/** Releases the address of an `undo` link from another account. Returns that account, if there is one. */
function releaseOther(
  { transaction, shiftSeconds }: Change,
  { account, email }: EmailToken,
): Promise<{ id: number } | undefined> {
  return queryRow(transaction, RELEASE, shiftSeconds, email, account.accountId)
}
