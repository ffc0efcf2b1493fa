// What an undo restores: the identifiers of the account with a revocation, and the second factors.
import { LIMITS } from '../../../generated/limits.ts'
import { assigned, type Assigned, type Bind, type Part } from '../../database/composed.ts'
import { execute, NOW } from '../../database/query.ts'
import { cancelsDeletion, changedAt } from '../../domain/accounts/undo.ts'
import { deleteRows, type ModelChange } from '../changes.ts'
import { CANCEL_RESET_ONCE } from '../factors/state.ts'
import { HOLD_PERIOD, SETTLED, settledBeside } from '../recovery/former-email.ts'
import { DELETE_FORMER_PHONES, unverifyPhoneSince } from '../recovery/locks.ts'
import { revocationParts } from '../revocation/index.ts'
import type { Before, Undoable } from './lock.ts'

/** New values: the hash of an unknown password, and of a token that resets it, if the restored address gets a link */
export type Replacement = Readonly<{ passwordHash: string; resetHash: Uint8Array<ArrayBuffer> | undefined }>

/** Restores the identifiers. The owner then has to set a new password. */
export function restore(undoable: Undoable, { passwordHash, resetHash }: Replacement, bind: Bind): Part[] {
  const { account, by, before, expiresAt } = undoable
  const { email, emailByLink } = before
  const { now, deletionDueAt } = account
  const emailVerifiedAt = before.emailVerifiedAt ?? (by === 'email' ? now : null) // a link proves the address, and a code does not
  const emailRecoversFrom = emailVerifiedAt && now
  const isSame = email === account.email && !(account.emailChangedAt && account.emailChangedAt > changedAt(expiresAt))
  const emailChangedAt = email === account.email ? account.emailChangedAt : now
  const address = { emailVerifiedAt, emailByLink, emailRecoversFrom, emailChangedAt }
  const restored = {
    email, // also if it is the same, so that the revocation restores no other one
    ...(!(by === 'phone' && isSame) && address),
    pendingEmail: null,
    passwordHash,
    ...(cancelsDeletion(deletionDueAt, changedAt(expiresAt)) && { deletionDueAt: null }),
  }
  return [
    ...revocationParts(
      {
        askedBy: null,
        assigned: {
          ...assigned(restored, bind),
          ...SETTLED,
          ...CANCEL_RESET_ONCE,
          ...restorePhone(undoable, emailVerifiedAt, bind),
        },
        // Tokens of earlier changes remain valid, so that a second change cannot lock out the owner of the first address.
        undoLinksUntil: expiresAt,
      },
      bind,
    ),
    DELETE_FORMER_PHONES,
    ...endYounger(undoable, emailVerifiedAt, bind),
    ...(resetHash ? [resetLink(email, resetHash, bind)] : []),
  ]
}

/**
 * Restores the number, with its verification. A code proves the number that it was sent to. A link does not: a number that has reset the
 * password since, or is not older than the address, does not recover the account for the waiting period, and one that another account has
 * verified since is not restored.
 */
function restorePhone({ by, before, undoesReset }: Undoable, emailVerifiedAt: Date | null, bind: Bind): Assigned {
  const since = (): string => `${bind(emailVerifiedAt)}::timestamptz`
  if (before.phone === null) return unverifyPhoneSince(since()) // a row of 0.2.0
  const [phone, code] = [`${bind(before.phone)}::text`, bind(before.phoneCode)]
  const ifSame = (column: string): string => `CASE WHEN a.phone = ${phone} THEN a.${column} END`
  const verifiedAt = `coalesce(${ifSame('phone_verified_at')}, ${bind(before.phoneVerifiedAt)}::timestamptz)`
  const recoversFrom = (from: string): string => `greatest(${ifSame('phone_recovers_from')}, ${from})`
  const changedAt = { phone_changed_at: ifSame('phone_changed_at') }
  if (by === 'phone') {
    const proven = { phone_verified_at: `coalesce(${verifiedAt}, ${NOW})`, phone_recovers_from: recoversFrom(NOW) }
    return { phone, phone_code: code, ...proven, ...changedAt }
  }
  const isTaken = `EXISTS (SELECT FROM accounts o WHERE o.phone = ${phone} AND o.id <> a.id AND o.phone_verified_at IS NOT NULL)`
  const unlessTaken = (value: string, otherwise = 'NULL'): string =>
    `CASE WHEN ${isTaken} THEN ${otherwise} ELSE ${value} END`
  const isSuspended = undoesReset ? 'true' : `${verifiedAt} >= ${since()}`
  const from = `${NOW} + CASE WHEN ${isSuspended} THEN ${HOLD_PERIOD} ELSE interval '0' END`
  return {
    phone: unlessTaken(phone, 'a.phone'),
    phone_code: unlessTaken(code, 'a.phone_code'),
    phone_verified_at: unlessTaken(verifiedAt),
    phone_recovers_from: unlessTaken(`CASE WHEN ${verifiedAt} IS NOT NULL THEN ${recoversFrom(from)} END`),
    ...changedAt,
  }
}

/** Returns the part that ends the codes of an account which meet a condition over `r`. */
function endCodes(condition: string): Part {
  return deleteRows('ended_undo_codes', 'email_tokens', `r.purpose = 'undo_by_phone' AND ${condition}`)
}

/**
 * A code ends itself and those that were sent after it: earlier ones undo more. It also ends the links of younger addresses. A link ends the
 * codes of younger numbers, and of one that has been found stolen.
 */
function endYounger(
  { by, before, undoesReset, expiresAt }: Undoable,
  emailVerifiedAt: Date | null,
  bind: Bind,
): Part[] {
  if (by === 'email') return [undoesReset ? endCodes('true') : endYoungerCodes(`${bind(emailVerifiedAt)}::timestamptz`)]
  return [
    endCodes(`r.expires_at >= ${bind(expiresAt)}`),
    ...(before.phoneVerifiedAt ? [endYoungerLinks(`${bind(before.phoneVerifiedAt)}::timestamptz`)] : []),
  ]
}

/**
 * Returns the part that ends the links of addresses which were verified after a number, and less than the days of an undo ago: they do not
 * undo what its owner has confirmed.
 *
 * @param verifiedAt when the number was verified, as an expression over the account `a`
 */
export function endYoungerLinks(verifiedAt: string): Part {
  const settled = `(SELECT ${settledBeside(verifiedAt)} FROM accounts a WHERE a.id = r.account_id)`
  return deleteRows(
    'ended_undo_links',
    'email_tokens',
    `r.purpose IN ('undo', 'undo_reset') AND r.verified_at > ${settled}`,
  )
}

/**
 * Returns the part that ends the codes of numbers which were verified after an address: they do not undo what its owner has confirmed.
 *
 * @param verifiedAt when the address was verified, as an expression over the account `a`
 */
export function endYoungerCodes(verifiedAt: string): Part {
  return endCodes(`r.phone_verified_at >= (SELECT ${verifiedAt} FROM accounts a WHERE a.id = r.account_id)`)
}

function resetLink(email: string, resetHash: Uint8Array<ArrayBuffer>, bind: Bind): Part {
  const sql = `
    INSERT INTO password_resets (account_id, token_hash, email, expires_at)
    SELECT t.account_id, ${bind(resetHash)}, ${bind(email)}, ${NOW} + interval '${LIMITS.reset.minutes} minutes'
    FROM target t`
  return { name: 'reset_link', sql }
}

const RESTORE_PASSKEYS = `
  INSERT INTO passkeys SELECT p.* FROM jsonb_populate_recordset(NULL::passkeys, $1::jsonb -> 'passkeys') p
  WHERE p.established_at <= $2 ON CONFLICT DO NOTHING`

/** Whether `f` has an app or codes that are not those of the row `b` before the changes */
const BEFORE = `FROM jsonb_populate_record(NULL::second_factors, $1::jsonb -> 'second_factors') b WHERE f.account_id = b.account_id`
const RESTORE_APP = `
  UPDATE second_factors f SET totp_secret = $3, totp_confirmed_at = b.totp_confirmed_at,
    totp_established_at = b.totp_established_at, totp_last_step = greatest(f.totp_last_step, b.totp_last_step)
  ${BEFORE} AND f.totp_secret IS NULL AND b.totp_established_at <= $2`

const RESTORE_CODES = `
  UPDATE second_factors f SET recovery_codes = b.recovery_codes, codes_established_at = b.codes_established_at
  ${BEFORE} AND coalesce(cardinality(f.recovery_codes), 0) = 0 AND b.codes_established_at <= $2`

const RESTORE_PROTECTION = `
  UPDATE accounts a SET factors_since = b.factors_since, factors_vouched = b.factors_vouched
  FROM jsonb_to_record($1::jsonb -> 'account') b (factors_since timestamptz, factors_vouched boolean)
  WHERE a.id = $2 AND a.factors_since IS NULL AND (EXISTS (SELECT FROM passkeys p WHERE p.account_id = a.id)
    OR EXISTS (SELECT FROM second_factors f WHERE f.account_id = a.id AND f.totp_secret IS NOT NULL))`

/** Restores the second factors that were established before the changes, and were removed or replaced since. */
export async function restoreFactors(
  { transaction, tx }: ModelChange,
  accountId: number,
  { factors, totpSecret }: Before,
  since: Date,
): Promise<void> {
  if (factors === null) return
  await execute(transaction, RESTORE_PASSKEYS, factors, since)
  await tx.secondFactors.createMany({ data: { accountId }, skipDuplicates: true })
  if (totpSecret) await execute(transaction, RESTORE_APP, factors, since, totpSecret)
  await execute(transaction, RESTORE_CODES, factors, since)
  await execute(transaction, RESTORE_PROTECTION, factors, accountId)
}
