// What an undo restores: the identifiers of the account with a revocation, and the second factors.
import type { Account } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import { execute } from '../../database/sql.ts'
import { cancelsDeletion, changedAt } from '../../domain/accounts/undo.ts'
import type { ModelChange } from '../changes.ts'
import { revoke } from '../revocation/index.ts'
import type { Before, Undoable } from './lock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** New values: the hash of an unknown password, and of a token that resets it, if the restored address gets a link */
export type Replacement = Readonly<{ passwordHash: string; resetHash: Uint8Array<ArrayBuffer> | undefined }>

type Fields = Partial<Omit<Account, 'id'>>

/** Restores the identifiers. The owner then has to set a new password. */
export async function restore(
  change: ModelChange,
  undoable: Undoable,
  { passwordHash, resetHash }: Replacement,
): Promise<void> {
  const { tx } = change
  const { account, by, before, expiresAt } = undoable
  const { accountId, now, deletionDueAt, factorsResetAt, factorsKeptAt } = account
  const emailVerifiedAt = before.emailVerifiedAt ?? (by === 'email' ? now : null) // a link proves the address, and a code does not
  const restored: Fields = {
    ...restoredEmail(undoable, emailVerifiedAt),
    ...(await restoredPhone(change, undoable, emailVerifiedAt)),
    passwordHash,
    ...(cancelsDeletion(deletionDueAt, changedAt(expiresAt)) && { deletionDueAt: null }),
    // The owner cancels one reset of the present factors.
    ...(factorsResetAt && !factorsKeptAt && { factorsResetAt: null, factorsResetBySupport: false, factorsKeptAt: now }),
  }
  // Tokens of earlier changes remain valid, so that a second change cannot lock out the owner of the first address.
  await revoke(change, accountId, { askedBy: null, undoLinksUntil: expiresAt }, restored)
  await tx.formerPhone.deleteMany({ where: { accountId } })
  await endYounger(change, undoable, emailVerifiedAt)
  if (!resetHash) return
  const resetBy = new Date(now.getTime() + LIMITS.reset.minutes * MINUTE_MS)
  await tx.passwordReset.createMany({
    data: { accountId, tokenHash: resetHash, email: before.email, expiresAt: resetBy },
  })
}

function restoredEmail({ account, by, before, expiresAt }: Undoable, emailVerifiedAt: Date | null): Fields {
  const { now } = account
  const { email, emailByLink } = before
  const isSame = email === account.email && !(account.emailChangedAt && account.emailChangedAt > changedAt(expiresAt))
  const emailChangedAt = email === account.email ? account.emailChangedAt : now
  const address = { emailVerifiedAt, emailByLink, emailRecoversFrom: emailVerifiedAt && now, emailChangedAt }
  return {
    email, // also if it is the same, so that the revocation restores no other one
    ...(!(by === 'phone' && isSame) && address),
    pendingEmail: null,
    formerEmailUntil: null,
  }
}

/**
 * Returns the number before the changes, with its verification. A code proves the number that it was sent to. A link does not: a number
 * that has reset the password since, or is not older than the address, does not recover the account for the waiting period, and one that
 * another account has verified since is not restored.
 */
async function restoredPhone(
  { tx }: ModelChange,
  { account, by, before, undoesReset }: Undoable,
  emailVerifiedAt: Date | null,
): Promise<Fields> {
  const { accountId, now } = account
  const { phone, phoneCode } = before
  if (phone === null || phoneCode === null) return isYounger(account.phoneVerifiedAt, emailVerifiedAt) ? UNVERIFIED : {} // a row of 0.2.0
  const same = phone === account.phone ? account : { ...UNVERIFIED, phoneChangedAt: null }
  const verifiedAt = same.phoneVerifiedAt ?? before.phoneVerifiedAt
  const recoversFrom = (waitMs: number): Date => latest(new Date(now.getTime() + waitMs), same.phoneRecoversFrom)
  const number = { phone, phoneCode, phoneChangedAt: same.phoneChangedAt }
  if (by === 'phone') return { ...number, phoneVerifiedAt: verifiedAt ?? now, phoneRecoversFrom: recoversFrom(0) }
  const ofAnother = { phone, phoneVerifiedAt: { not: null }, id: { not: accountId } }
  if ((await tx.account.count({ where: ofAnother })) > 0)
    return { ...number, phone: account.phone, phoneCode: account.phoneCode, ...UNVERIFIED }
  const waitMs = undoesReset || isYounger(verifiedAt, emailVerifiedAt) ? LIMITS.recovery.hold_hours * HOUR_MS : 0
  return { ...number, phoneVerifiedAt: verifiedAt, phoneRecoversFrom: verifiedAt && recoversFrom(waitMs) }
}

const UNVERIFIED = { phoneVerifiedAt: null, phoneRecoversFrom: null } as const

/** Whether a number was verified when the address was, or later */
function isYounger(phoneVerifiedAt: Date | null, emailVerifiedAt: Date | null): boolean {
  return phoneVerifiedAt !== null && emailVerifiedAt !== null && phoneVerifiedAt >= emailVerifiedAt
}

function latest(one: Date, other: Date | null): Date {
  return other && other > one ? other : one
}

/**
 * A code ends itself and those that were sent after it: earlier ones undo more. It also ends the links of younger addresses. A link ends the
 * codes of younger numbers, and of one that has been found stolen.
 */
async function endYounger(
  change: ModelChange,
  { account, by, before, undoesReset, expiresAt }: Undoable,
  emailVerifiedAt: Date | null,
): Promise<void> {
  const { accountId } = account
  const { emailToken } = change.tx
  const codes = { accountId, purpose: 'undo_by_phone' } as const
  if (by === 'phone') {
    await emailToken.deleteMany({ where: { ...codes, expiresAt: { gte: expiresAt } } })
    if (before.phoneVerifiedAt) await endYoungerLinks(change, account, before.phoneVerifiedAt)
  } else if (undoesReset) await emailToken.deleteMany({ where: codes })
  else await endYoungerCodes(change, accountId, emailVerifiedAt)
}

/**
 * Ends the links of addresses which were verified after a number, and less than the days of an undo ago: they do not undo what its owner
 * has confirmed.
 */
export async function endYoungerLinks(
  { tx }: ModelChange,
  { accountId, now }: Readonly<{ accountId: number; now: Date }>,
  phoneVerifiedAt: Date,
): Promise<void> {
  const settledAt = latest(phoneVerifiedAt, new Date(now.getTime() - LIMITS.email.undo_days * DAY_MS))
  await tx.emailToken.deleteMany({
    where: { accountId, purpose: { in: ['undo', 'undo_reset'] }, verifiedAt: { gt: settledAt } },
  })
}

/** Ends the codes of numbers which were verified after an address: they do not undo what its owner has confirmed. */
export async function endYoungerCodes(
  { tx }: ModelChange,
  accountId: number,
  emailVerifiedAt: Date | null,
): Promise<void> {
  if (!emailVerifiedAt) return
  await tx.emailToken.deleteMany({
    where: { accountId, purpose: 'undo_by_phone', phoneVerifiedAt: { gte: emailVerifiedAt } },
  })
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
