// Undoing a password reset by phone, with a token that was sent to the e-mail address. There is none for the other direction: a
// number that is stolen or has a new owner would undo resets of the owner by e-mail.
import { column, onlyIf, select, table } from '../../database/columns.ts'
import type { Assigned, Bind, Part } from '../../database/composed.ts'
import { NOW, query, queryRow } from '../../database/query.ts'
import { maskPhone } from '../../domain/text.ts'
import { deleteRows, type StoreParts } from '../changes.ts'
import { removeYoungFactors, type Records } from '../factors/enrollment.ts'
import { CANCEL_RESET, cancelledReset, FACTORS_RESET_AT } from '../factors/state.ts'
import { revoke } from '../revocation/index.ts'
import { cancelsDeletion, changedAt } from '../email/undo.ts'
import { DELETE_FORMER_PHONES, suspendIf, unverifyPhoneSince } from './locks.ts'
import { UNDO_PERIOD } from './former-email.ts'
import { END_PHONE_UNDO } from './phone-undo.ts'

type Hash = Uint8Array<ArrayBuffer>

/** The account of an undone reset. `phone` is null if it is not verified. */
type UndoneReset = Readonly<{
  id: number
  email: string
  phone: string | null
  phoneCode: string
}>

export type ResetUndos = {
  /** Returns whether a token is valid. */
  has(tokenHash: Hash): Promise<boolean>
  /**
   * Ends everything that was issued for the account, suspends its number, and removes numbers and second factors that were
   * added since the reset, or since an earlier one that could still be undone.
   *
   * @param passwordHash the hash of an unknown password
   * @returns undefined if the token is no longer valid
   */
  use(tokenHash: Hash, passwordHash: string, records: Records): Promise<UndoneReset | undefined>
}

const HAS = `SELECT 1 FROM password_reset_undos WHERE token_hash = $2 AND expires_at > ${NOW}`

const a = table('Account', 'a')

const LOCK = query(
  select<UndoneReset & { expiresAt: Date; factorsResetAt: Date | null; deletionDueAt: Date | null }>({
    id: a.id,
    email: a.email,
    expiresAt: column(
      `(SELECT min(o.expires_at) FROM password_reset_undos o WHERE o.account_id = a.id AND o.expires_at > ${NOW})`,
    ),
    factorsResetAt: FACTORS_RESET_AT,
    deletionDueAt: a.deletionDueAt,
    phone: onlyIf('a.phone_verified_at IS NOT NULL', a.phone),
    phoneCode: a.phoneCode,
  }),
  (list) => `
    SELECT ${list} FROM accounts a JOIN password_reset_undos u ON u.account_id = a.id
    WHERE u.token_hash = $2 AND u.expires_at > ${NOW} FOR UPDATE OF a, u`,
  'lock-by-reset-undo',
)

export function resetUndos({ pool, shift, inModelChange }: StoreParts): ResetUndos {
  return {
    async has(tokenHash) {
      return (await pool.query(HAS, [shift(), tokenHash])).rowCount === 1
    },
    use: (tokenHash, passwordHash, records) =>
      inModelChange(async (change) => {
        const { transaction, shiftSeconds, write } = change
        const undone = await queryRow(transaction, LOCK, shiftSeconds, tokenHash)
        if (!undone) return undefined
        const { id: accountId, email, phone, deletionDueAt, ...first } = undone
        const about = { ...records.auditContext, accountId }
        const subject = phone && maskPhone(phone)
        const since = changedAt(first)
        const isKept = cancelsDeletion(deletionDueAt, since)
        await write(accountId, {
          parts: (bind) => undo({ passwordHash, since, isKept }, bind),
          isUpdate: true,
          auditEvents: [
            { event: 'password_reset_undone', ...about, subject },
            ...cancelledReset(undone, { ...about, subject: null }),
            ...(isKept ? [{ event: 'deletion_cancelled', ...about } as const] : []),
          ],
        })
        await removeYoungFactors(change, { accountId, email }, { at: since, ...records })
        return undone
      }),
  }
}

/** `isKept` is whether a deletion is cancelled. */
type Undoing = Readonly<{ passwordHash: string; since: Date; isKept: boolean }>

/**
 * Returns what undoes a reset. It cancels a pending reset of the second factors too, and a later deletion of the account, which
 * the same person may have requested. A former number was the number of the account at the reset, which deleted all others: the
 * thief may have replaced it. The number undoes nothing more.
 */
function undo({ passwordHash, since, isKept }: Undoing, bind: Bind): Part[] {
  const suspended = suspendPhone(`${bind(since)}::timestamptz`)
  const kept: Assigned = isKept ? { deletion_due_at: 'NULL' } : {}
  const assigned = { password_hash: bind(passwordHash), ...suspended, ...kept, ...CANCEL_RESET }
  return [...revoke({ askedBy: null, assigned }, bind), DELETE_FORMER_PHONES, DELETE_UNDOS, END_PHONE_UNDO]
}

/** Suspends the number of the account. One that was verified at the time or later is no longer verified. */
function suspendPhone(since: string): Assigned {
  const suspended = suspendIf('phone', 'true')['phone_recovers_from'] ?? 'NULL'
  return unverifyPhoneSince(since, suspended)
}

/** Whether the account `a` has a token that undoes a reset */
export const HAS_UNDO = `EXISTS (SELECT 1 FROM password_reset_undos u WHERE u.account_id = a.id AND u.expires_at > ${NOW})`

const DELETE_UNDOS = deleteRows('deleted_undos', 'password_reset_undos')

/**
 * The part by which a reset by e-mail ends all tokens; those of earlier resets by phone remain valid. If the account has a second
 * factor, they remain valid too: it may be that of the thief of the number, and no password removes it.
 */
export const DELETE_NEEDLESS_UNDOS = deleteRows(
  'deleted_undos',
  'password_reset_undos',
  'EXISTS (SELECT FROM accounts a WHERE a.id = r.account_id AND a.factors_since IS NULL)',
)

/** Returns the part that stores the hash of the token that undoes a reset by phone. */
export function addUndo(tokenHash: Hash, bind: Bind): Part {
  const sql = `
    INSERT INTO password_reset_undos (token_hash, account_id, expires_at)
    SELECT ${bind(tokenHash)}, t.account_id, ${NOW} + ${UNDO_PERIOD} FROM target t`
  return { name: 'added_undo', sql }
}
