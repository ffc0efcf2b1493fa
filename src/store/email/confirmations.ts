import { query, queryRow, table } from '../../database/sql.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { maskEmail } from '../../domain/text.ts'
import type { EventName, AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import {
  addConsent,
  allowRecovery,
  confirm,
  type Confirmed,
  type EmailConfirmation,
  type NewProofs,
} from './address.ts'
import { invalidateEmailCode } from './codes.ts'
import { throwIfEmailTaken } from '../../database/unique-conflicts.ts'
import { isLive, LOCKED_STATE, type LockedAccountState } from '../accounts/lock-account.ts'
import { openUndo } from '../undo/open.ts'
import { NOT_OPENED } from '../../domain/accounts/undo.ts'
import type { ModelChange, StoreParts } from '../changes.ts'
import { OF_BEARER } from '../sessions/state.ts'

type Hash = Uint8Array<ArrayBuffer>

/** What a confirmation records: its audit events, and the e-mails about its result */
type Records = Readonly<{ auditContext: AuditContext; toMails: (done: EmailConfirmation) => readonly NewMail[] }>

/** All return undefined if the token or the code is no longer valid. */
type EmailConfirmations = {
  /**
   * Confirms an address by the token of a link.
   *
   * @param bearer the session that sends the token; null without a login
   * @throws Failure 422 on `token` if another account now has the address
   */
  byToken(
    tokenHash: Hash,
    bearer: Bearer | null,
    made: NewProofs,
    records: Records,
  ): Promise<EmailConfirmation | undefined>
  /**
   * Confirms an address by a code that was already compared.
   *
   * @throws Failure 422 on `code` if another account now has the address
   */
  byCode(
    bearer: Bearer,
    code: { email: string; windowId: string },
    made: NewProofs,
    records: Records,
  ): Promise<EmailConfirmation | undefined>
}

const EVENTS: Readonly<Record<EmailConfirmation['outcome'], EventName>> = {
  verified: 'email_verified',
  changed: 'email_changed',
  recovery_allowed: 'email_recovery_allowed',
}

const t = table('EmailToken', 't')

/** Locks the account of a token, and the token. Of concurrent requests with the same token, only the first finds it. */
const LOCK_TOKEN = query(
  { ...LOCKED_STATE, purpose: t.purpose, sentTo: t.email },
  (list) => `
    SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
    WHERE t.token_hash = $1 AND t.purpose IN ('verify', 'consent') AND t.expires_at > service_now()
    FOR UPDATE OF a, t`,
  'lock-by-email-token',
)

/** Locks the account `$1` with the session `$2`, and its code of the window `$3`. */
const LOCK_CODE = query(
  { ...LOCKED_STATE, wrongAt: table('EmailCode', 'c').wrongAt },
  (list) => `
    SELECT ${list} FROM accounts a JOIN sessions s ON s.account_id = a.id JOIN email_codes c ON c.account_id = a.id
    WHERE ${OF_BEARER} AND c.window_id = $3::uuid
    FOR UPDATE OF a, s, c`,
  'lock-email-code',
)

export function emailConfirmations({ inModelChange }: StoreParts): EmailConfirmations {
  return {
    async byToken(tokenHash, bearer, made, records) {
      const use = async (change: ModelChange): Promise<EmailConfirmation | undefined> => {
        const token = await queryRow(change.transaction, LOCK_TOKEN, tokenHash)
        if (token?.status !== 'active') return undefined
        const { purpose, sentTo: email, ...account } = token
        const { accountId } = account
        const isOwn = bearer?.accountId === accountId && (await isLive(change, bearer))
        const confirmed = purpose === 'consent' ? allowRecovery(account, email) : confirm(account, { email, isOwn })
        await change.tx.emailToken.deleteMany({ where: { tokenHash } })
        if (confirmed && purpose === 'verify') await invalidateEmailCode(change, accountId)
        return confirmed && write(change, account, { confirmed, made, ...records })
      }
      return inModelChange(use).catch(throwIfEmailTaken('token'))
    },
    async byCode(bearer, { email, windowId }, made, records) {
      const use = async (change: ModelChange): Promise<EmailConfirmation | undefined> => {
        const { tx, transaction } = change
        const { accountId, sessionId } = bearer
        const locked = await queryRow(transaction, LOCK_CODE, accountId, sessionId, windowId)
        if (!locked) return undefined
        const { wrongAt, ...account } = locked
        const confirmed = confirm(account, { email, isOwn: true })
        // The last try was counted as a wrong one before its code was compared, and was right.
        const used = { windowId: null, wrongAt: wrongAt.slice(0, -1) }
        await tx.emailCode.update({ where: { accountId }, data: used, select: { accountId: true } })
        return confirmed && write(change, account, { confirmed, made, ...records })
      }
      return inModelChange(use).catch(throwIfEmailTaken('code'))
    },
  }
}

type Confirming = Records & Readonly<{ confirmed: Confirmed; made: NewProofs }>

/** Writes and records what a token or a code confirms. */
async function write(
  change: ModelChange,
  account: LockedAccountState,
  { confirmed, made, auditContext, toMails }: Confirming,
): Promise<EmailConfirmation> {
  const { accountId } = account
  const { write: writeAddress, ...confirmation } = confirmed
  const { outcome, email } = confirmation
  const opened = outcome === 'changed' ? await openUndo(change, account, made.undo) : NOT_OPENED
  await writeAddress(change)
  if (opened.linkTo !== undefined) await addConsent(change, account, { tokenHash: made.consentHash, email })
  const done = { ...confirmation, opened }
  await change.record(accountId, {
    auditEvents: [{ event: EVENTS[outcome], ...auditContext, accountId, subject: maskEmail(email) }],
    isUpdate: outcome !== 'recovery_allowed',
    mails: toMails(done),
  })
  return done
}
