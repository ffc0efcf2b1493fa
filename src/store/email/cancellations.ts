import type { EmailTokenPurpose } from '../../../generated/prisma/client.ts'
import type { Bearer, Contact } from '../../domain/accounts/account.ts'
import { maskEmail, maskPhone } from '../../domain/text.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { column, select, table } from '../../database/columns.ts'
import { isToken, lockByEmailToken, type EmailToken } from './tokens.ts'
import { cancelledReset } from '../factors/state.ts'
import { removeYoungFactors, type Records as FactorRecords } from '../factors/enrollment.ts'
import { cancel, cancelsDeletion, changedAt, getsLink, undo, type Replacement } from './undo.ts'
import { throwIfEmailTaken, undefinedIfPhoneTaken } from '../../database/database-errors.ts'
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
  /** Whether a link that sets the password is sent to that address */
  hasLink: boolean
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
  /** Returns whether a token, or a code for a number, is valid. */
  has(tokenHashes: readonly Hash[]): Promise<boolean>
  /**
   * Cancels the pending change of an address, or undoes a change.
   *
   * @param tokenHashes the hashes of the token, or of the code for the number `made.phone`
   * @param made new values for an undone change: the hash of an unknown password, and of a token that resets it
   * @returns undefined if the token is no longer valid, or another account has since verified the number
   * @throws Failure 422 on `token` or `otp` if another account has since verified the old address
   */
  use(tokenHashes: readonly Hash[], made: Replacement, records: Records): Promise<EmailCancellation | undefined>
}

type Records = Readonly<{
  auditContext: AuditContext
  toMails: (done: EmailCancellation) => readonly NewMail[]
  /** What the removal of second factors with an undone change records */
  removal: FactorRecords
}>

const OF_LINKS: readonly EmailTokenPurpose[] = ['cancel', 'undo']
const OF_CODES: readonly EmailTokenPurpose[] = ['undo_by_phone']

const HAS = `
  SELECT 1 FROM email_tokens
  WHERE token_hash = ANY ($2::bytea[]) AND purpose IN ('cancel', 'undo', 'undo_by_phone') AND expires_at > ${NOW}`

/** A code does not prove the old address `$2`. Another account keeps it that has verified it, or has it at all if `$3`. */
const HELD = query(
  select<{ placeholder: string }>({ placeholder: column(RELEASED_EMAIL) }),
  (list) => `
    SELECT ${list} FROM accounts a WHERE a.id = $1 AND EXISTS (
      SELECT FROM accounts o WHERE o.email = $2 AND o.id <> a.id AND (o.email_verified_at IS NOT NULL OR $3::boolean))`,
)

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
        const done = { outcome: 'cancelled', email, hasLink: false, before, releasedId: undefined } as const
        await change.write(accountId, { parts: cancel, isUpdate: true, auditEvents: toAuditEvents(done, auditContext) })
      })
    },
    async has(tokenHashes) {
      return (await pool.query(HAS, [shift(), tokenHashes])).rowCount === 1
    },
    use: (tokenHashes, made, records) =>
      inModelChange((change) => use(change, { tokenHashes, made, records }))
        .catch(throwIfEmailTaken(made.phone ? 'otp' : 'token'))
        .catch(undefinedIfPhoneTaken),
  }
}

type Used = Readonly<{ tokenHashes: readonly Hash[]; made: Replacement; records: Records }>

async function use(
  change: ModelChange,
  { tokenHashes, made, records: { auditContext, toMails, removal } }: Used,
): Promise<EmailCancellation | undefined> {
  const { phone } = made
  const token = await lockByEmailToken(change, tokenHashes, phone ? OF_CODES : OF_LINKS)
  if (!token) return undefined
  const { write } = change
  const { account, purpose, email } = token
  const { accountId } = account
  if (purpose === 'cancel') {
    if (account.pendingEmail === null) {
      await write(accountId, { parts: (bind) => tokenHashes.map((hash) => deleteTokens(isToken(hash, bind))) })
      return undefined
    }
    const done = {
      outcome: 'cancelled',
      email: account.email,
      hasLink: false,
      before: account,
      releasedId: undefined,
    } as const
    await write(accountId, {
      parts: cancel,
      isUpdate: true,
      auditEvents: toAuditEvents(done, auditContext),
      mails: toMails(done),
    })
    return done
  }
  const held = phone && (await queryRow(change.transaction, HELD, accountId, email, token.verifiedAt === null))
  const restored = held ? { ...token, email: held.placeholder, verifiedAt: null, byLink: false } : token
  const released = held ? undefined : await releaseOther(change, token)
  if (released) await write(released.id, { parts: (bind) => revoke({ askedBy: null }, bind), isUpdate: true })
  const hasLink = getsLink(restored, phone)
  const done = { outcome: 'undone', email: restored.email, hasLink, before: account, releasedId: released?.id } as const
  await write(accountId, {
    parts: (bind) => undo(restored, made, bind),
    isUpdate: true,
    auditEvents: toAuditEvents(done, { ...auditContext, ...(phone && { subject: maskPhone(phone.e164) }) }, token),
    mails: toMails(done),
  })
  await removeYoungFactors(change, { accountId, email }, { at: changedAt(token), ...removal })
  return done
}

function toAuditEvents(
  { outcome, email, before, releasedId }: EmailCancellation,
  auditContext: AuditContext,
  token?: EmailToken,
): AuditEvent[] {
  const isUndone = outcome === 'undone'
  const { accountId } = before
  const event = !isUndone
    ? 'email_change_cancelled'
    : token?.purpose === 'undo_by_phone'
      ? 'changes_undone'
      : 'email_change_undone'
  return [
    { event, ...auditContext, accountId, subject: auditContext.subject ?? maskEmail(email) },
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
