// Resets of second factors that were lost: the owner requests one with the password, and confirms it with a link and a code.
import { LIMITS } from '../../../generated/limits.ts'
import { column, query, queryRow, table, type Columns } from '../../database/sql.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { AuditContext, AuditEvent } from '../../domain/audit/audit-context.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { resetHours, type ResetProofs } from '../../domain/factors/proof-order.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import { CONTACT, PREVIOUS_EMAILS } from '../accounts/lock-account.ts'
import type { Change, ModelChange, StoreParts } from '../changes.ts'
import { useVerification } from '../phone-verifications.ts'
import { EMAIL_RECOVERS, PHONE_RECOVERS } from '../recovery/sql.ts'
import { HAS_FORMER_EMAIL } from '../recovery/identifiers.ts'
import { forgetRemoved } from './enrollment.ts'
import { FACTORS_RESET_AT, HAS_FACTOR } from './state.ts'

export type FactorResets = {
  /** Returns the owner of an account whose second factors the owner can reset; undefined if only an administrator can. */
  resettable(accountId: number): Promise<Resettable | undefined>
  /**
   * Stores the hash of the token that confirms a reset, in place of earlier ones, and the e-mail with it. Without an e-mail, the caller gets
   * the token, which is valid only as long as the account has no verified address.
   *
   * @returns false if the password has changed since it was compared, or the owner can no longer reset the factors
   */
  requestReset(account: Proven, token: Requested, records: Records): Promise<boolean>
  /** Returns the owner of the account that a token resets the factors of. */
  resettableByToken(tokenHash: Hash): Promise<Resettable | undefined>
  /**
   * Schedules the reset, unless an earlier one is pending.
   *
   * @returns undefined if the token is no longer valid
   * @throws Failure 422 on `otp` if the code was used, or was sent to another number
   */
  confirmReset(tokenHash: Hash, confirmation: Confirmation): Promise<PendingReset | undefined>
  /** Cancels a pending reset by the token of its notice, once for the present factors. Returns whether it did. */
  cancelReset(tokenHash: Hash, auditContext: AuditContext): Promise<boolean>
}

/** What resets the second factors of an account: a link to its address and a code to its number, or the only one that it has */
export type Resettable = Contact & ResetProofs

const HOUR_MS = 3_600_000

/** A reset, and the owner to notify of it, unless an earlier one was pending and nothing has changed */
export type PendingReset = Readonly<{ owner: Notified; resetAt: Date; isUnchanged?: true }>

/** The owner of the factors, and the addresses that can cancel the reset: those that are established, unless one has cancelled before */
export type Notified = Contact & Readonly<{ cancelling: readonly string[] }>

type Hash = Uint8Array<ArrayBuffer>
type Requested = Pick<ResetProofs, 'byEmail'> & Readonly<{ tokenHash: Hash }>
type Proven = Readonly<{ id: number; email: string; passwordHash: string }>
type Records = Readonly<{ auditContext: AuditContext; mails: readonly NewMail[] }>
type Confirmation = Readonly<{
  /** The verification of the code; undefined for an account without a number */
  verification: PhoneVerification | undefined
  /** The hash of the token that cancels the reset */
  cancelHash: Hash
  auditContext: AuditContext
  toMails: (owner: Notified, resetAt: Date) => readonly NewMail[]
}>

const HAS_ADDRESS = `(a.email_verified_at IS NOT NULL OR ${HAS_FORMER_EMAIL})`
const HAS_NUMBER = `(a.phone_verified_at IS NOT NULL OR EXISTS (SELECT FROM former_phones o WHERE o.account_id = a.id))`
const EMAIL_RESETS = `(a.email_verified_at IS NOT NULL AND ${EMAIL_RECOVERS} AND (${HAS_NUMBER} OR NOT a.email_by_link))`

/**
 * Whether the owner of the account `a` can reset its factors: all identifiers that it has may recover it. One that has replaced another
 * one recently may be that of an attacker.
 */
const IS_RESETTABLE = `${HAS_FACTOR} AND NOT a.is_admin AND (${HAS_ADDRESS} OR ${HAS_NUMBER})
  AND (NOT ${HAS_ADDRESS} OR ${EMAIL_RESETS}) AND (NOT ${HAS_NUMBER} OR ${PHONE_RECOVERS})`

const PROOFS: Columns<ResetProofs> = { byEmail: column(HAS_ADDRESS), byPhone: column(HAS_NUMBER) }
const OF_OWNER: Columns<Resettable> = { ...CONTACT, ...PROOFS }

const RESETTABLE = query(
  OF_OWNER,
  (list) => `SELECT ${list} FROM accounts a WHERE a.id = $1 AND ${IS_RESETTABLE}`,
  'resettable-factors',
)
const LOCK_PROVEN = query<{ now: Date; phone: string }>(
  { now: column('service_now()'), phone: table('Account', 'a').phone },
  (list) => `
    SELECT ${list} FROM accounts a
    WHERE a.id = $1 AND a.email = $2 AND a.password_hash = $3 AND ${IS_RESETTABLE} FOR UPDATE OF a`,
  'lock-resettable-factors',
)

/** A token is valid only for the address that it was sent to. That of an account without one has the number, and needs its code. */
const BY_TOKEN_SQL = (list: string): string => `
  SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
  WHERE t.token_hash = $1 AND t.purpose = 'reset_factors' AND t.expires_at > service_now() AND t.email = a.email
    AND t.phone IS NOT DISTINCT FROM CASE WHEN NOT ${HAS_ADDRESS} THEN a.phone END AND ${IS_RESETTABLE}`
const BY_TOKEN = query(OF_OWNER, BY_TOKEN_SQL, 'resettable-factors-by-token')

type Scheduled = Notified & { pendingAt: Date | null; now: Date }

const SCHEDULED: Columns<Scheduled> = {
  ...CONTACT,
  cancelling: column(`CASE WHEN a.factors_kept_at IS NOT NULL THEN '{}'
    WHEN a.email_verified_at IS NOT NULL AND NOT a.email_by_link AND ${EMAIL_RECOVERS} THEN array_append(${PREVIOUS_EMAILS.sql}, a.email)
    ELSE ${PREVIOUS_EMAILS.sql} END`),
  pendingAt: FACTORS_RESET_AT,
  now: column('service_now()'),
}
const LOCK_BY_TOKEN = query<Scheduled & ResetProofs>(
  { ...SCHEDULED, ...PROOFS },
  (list) => `${BY_TOKEN_SQL(list)} FOR UPDATE OF a, t`,
  'lock-by-factor-reset',
)
const FOR_ADMINISTRATOR = query(
  SCHEDULED,
  (list) => `SELECT ${list} FROM accounts a WHERE a.id = $1 AND ${HAS_FACTOR}`,
  'factor-reset-by-administrator',
)
/** A token cancels the reset that it was sent for, whose time is that of its expiry, and no later one. */
const LOCK_PENDING = query(
  { accountId: table('Account', 'a').id, now: column<Date>('service_now()') },
  (list) => `
    SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
    WHERE t.token_hash = $1 AND t.purpose = 'keep_factors' AND t.expires_at = a.factors_reset_at
      AND a.factors_reset_at > service_now() AND a.factors_kept_at IS NULL FOR UPDATE OF a, t`,
  'lock-pending-factor-reset',
)

export function factorResets({ pool, inModelChange }: StoreParts): FactorResets {
  return {
    resettable: (accountId) => queryRow(pool, RESETTABLE, accountId),
    resettableByToken: (tokenHash) => queryRow(pool, BY_TOKEN, tokenHash),
    requestReset: ({ id: accountId, email, passwordHash }, { tokenHash, byEmail }, { auditContext, mails }) =>
      inModelChange(async ({ tx, transaction, record }) => {
        const proven = await queryRow(transaction, LOCK_PROVEN, accountId, email, passwordHash)
        if (!proven) return false
        const expiresAt = new Date(proven.now.getTime() + LIMITS.reset.minutes * 60_000)
        const token = { tokenHash, accountId, purpose: 'reset_factors', email, expiresAt } as const
        await tx.emailToken.deleteMany({ where: { accountId, purpose: token.purpose } })
        await tx.emailToken.createMany({ data: { ...token, phone: byEmail ? null : proven.phone } })
        await record(accountId, {
          auditEvents: [{ event: 'factor_reset_requested', accountId, ...auditContext }],
          mails,
        })
        return true
      }),
    confirmReset: (tokenHash, { verification, auditContext, ...notice }) =>
      inModelChange(async (change) => {
        const { transaction } = change
        const account = await queryRow(transaction, LOCK_BY_TOKEN, tokenHash)
        if (!account) return undefined
        const { accountId, byPhone } = account
        if (byPhone && verification?.phone !== account.phone) throw invalidData({ otp: ['otp_wrong'] })
        if (verification) await useVerification(transaction, verification)
        const event = { event: 'factor_reset_confirmed', accountId, ...auditContext } as const
        const resetAt = resetTime(account, resetHours(account))
        // An address that confirms alone does not cancel: a thief of it would use up the one cancellation.
        const cancelling = account.cancelling.filter((email) => byPhone || email !== account.email)
        return writeReset(change, { ...account, cancelling }, { event, resetAt, ...notice, isBySupport: false })
      }),
    cancelReset: (tokenHash, auditContext) =>
      inModelChange(async ({ tx, transaction, record }) => {
        const pending = await queryRow(transaction, LOCK_PENDING, tokenHash)
        if (!pending) return false
        const { accountId, now: factorsKeptAt } = pending
        const kept = { factorsResetAt: null, factorsResetBySupport: false, factorsKeptAt }
        await tx.account.update({ where: { id: accountId }, data: kept, select: { id: true } })
        await tx.emailToken.deleteMany({ where: { accountId, purpose: { in: ['reset_factors', 'keep_factors'] } } })
        await record(accountId, { auditEvents: [{ event: 'factor_reset_cancelled', accountId, ...auditContext }] })
        return true
      }),
  }
}

type NewReset = Readonly<{
  event: AuditEvent
  resetAt: Date
  cancelHash: Hash
  toMails: Confirmation['toMails']
  isBySupport: boolean
}>

/** Returns an account that has second factors, whose row the transaction has locked. */
export async function findProtected({ transaction }: Change, accountId: number): Promise<Scheduled | undefined> {
  return queryRow(transaction, FOR_ADMINISTRATOR, accountId)
}

/**
 * Schedules a reset by an administrator, whose transaction has locked the account. If an earlier one is pending, only logins do not
 * cancel it any more.
 *
 * @throws Failure 409 `second_factor_missing`
 */
export async function scheduleReset(
  change: ModelChange,
  accountId: number,
  reset: Omit<NewReset, 'isBySupport' | 'resetAt'>,
): Promise<PendingReset> {
  const account = await findProtected(change, accountId)
  if (!account) throw new Failure('second_factor_missing')
  const resetAt = resetTime(account, LIMITS.factors.admin_reset_hours)
  if (resetAt !== account.pendingAt) return writeReset(change, account, { ...reset, resetAt, isBySupport: true })
  const bySupport = { factorsResetBySupport: true }
  await change.tx.account.update({ where: { id: accountId }, data: bySupport, select: { id: true } })
  return { owner: account, resetAt, isUnchanged: true }
}

/** Returns when a reset takes effect: the time of a pending one remains, unless the new one is earlier. */
function resetTime({ pendingAt, now }: Scheduled, hours: number): Date {
  const resetAt = new Date(now.getTime() + hours * HOUR_MS)
  return pendingAt && pendingAt <= resetAt ? pendingAt : resetAt
}

/** Stores the time of a reset, and the token that cancels it. Those that were sent for a pending one cancel it at its new time, too. */
async function writeReset(
  change: ModelChange,
  owner: Scheduled,
  { event, resetAt, cancelHash: tokenHash, toMails, isBySupport }: NewReset,
): Promise<PendingReset> {
  const { tx, record } = change
  const { accountId, email, pendingAt } = owner
  await forgetRemoved(change, accountId)
  const cancels = { accountId, purpose: 'keep_factors' } as const
  const by = isBySupport || !pendingAt ? { factorsResetBySupport: isBySupport } : {}
  const data = { factorsResetAt: resetAt, ...by }
  await tx.account.update({ where: { id: accountId }, data, select: { id: true } })
  await tx.emailToken.deleteMany({ where: { accountId, purpose: 'reset_factors' } })
  if (pendingAt) {
    const sent = { ...cancels, expiresAt: pendingAt }
    await tx.emailToken.updateMany({ where: sent, data: { expiresAt: resetAt } })
  }
  await tx.emailToken.createMany({ data: { ...cancels, tokenHash, email, expiresAt: resetAt } })
  await record(accountId, { auditEvents: [event], mails: toMails(owner, resetAt) })
  return { owner, resetAt }
}
