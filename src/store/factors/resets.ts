// Resets of second factors that were lost: the owner requests one with the password, and confirms it with a link and a code.
import { LIMITS } from '../../../generated/limits.ts'
import { column, select, table, type Columns } from '../../database/columns.ts'
import { NOW, query, queryRow } from '../../database/query.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { AuditContext, AuditEvent } from '../../domain/audit/audit-context.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import { CONTACT, PREVIOUS_EMAILS } from '../accounts/lock-account.ts'
import type { Change, ModelChange, StoreParts } from '../changes.ts'
import { useVerification } from '../phone-verifications.ts'
import { EMAIL_RECOVERS, PHONE_RECOVERS } from '../recovery/sql.ts'
import { forgetRemoved } from './enrollment.ts'
import { FACTORS_RESET_AT, hasFactor } from './state.ts'

export type FactorResets = {
  /** Returns the owner of an account whose second factors the owner can reset; undefined if only an administrator can. */
  resettable(accountId: number): Promise<Contact | undefined>
  /**
   * Stores the hash of the token that confirms a reset, in place of earlier ones, and the e-mail with it.
   *
   * @returns false if the password has changed since it was compared, or the owner can no longer reset the factors
   */
  requestReset(account: Proven, tokenHash: Hash, records: Records): Promise<boolean>
  /** Returns the owner of the account that a token resets the factors of. */
  resettableByToken(tokenHash: Hash): Promise<Contact | undefined>
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

/** A reset, and the owner to notify of it, unless an earlier one was pending and nothing has changed */
export type PendingReset = Readonly<{ owner: Notified; resetAt: Date; isUnchanged?: true }>

/** The owner of the factors, and the addresses that can cancel the reset: those that are established, unless one has cancelled before */
export type Notified = Contact & Readonly<{ cancelling: readonly string[] }>

type Hash = Uint8Array<ArrayBuffer>
type Proven = Readonly<{ id: number; email: string; passwordHash: string }>
type Records = Readonly<{ auditContext: AuditContext; mails: readonly NewMail[] }>
type Confirmation = Readonly<{
  /** The verification of the code */
  verification: PhoneVerification
  /** The hash of the token that cancels the reset */
  cancelHash: Hash
  auditContext: AuditContext
  toMails: (owner: Notified, resetAt: Date) => readonly NewMail[]
}>

/**
 * Whether the owner of the account `a` can reset its factors: both identifiers are verified, and may recover it. One that has
 * replaced another one recently may be that of an attacker.
 */
const IS_RESETTABLE = `${hasFactor()} AND NOT a.is_admin
  AND a.email_verified_at IS NOT NULL AND ${EMAIL_RECOVERS} AND ${PHONE_RECOVERS}`

const OF_OWNER = select(CONTACT)

const RESETTABLE = query(
  OF_OWNER,
  (list) => `SELECT ${list} FROM accounts a WHERE a.id = $2 AND ${IS_RESETTABLE}`,
  'resettable-factors',
)
const LOCK_PROVEN = query(
  select<{ now: Date }>({ now: column(NOW) }),
  (list) => `
    SELECT ${list} FROM accounts a
    WHERE a.id = $2 AND a.email = $3 AND a.password_hash = $4 AND ${IS_RESETTABLE} FOR UPDATE OF a`,
  'lock-resettable-factors',
)

/** A token is valid only for the address that it was sent to. */
const BY_TOKEN_SQL = (list: string): string => `
  SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
  WHERE t.token_hash = $2 AND t.purpose = 'reset_factors' AND t.expires_at > ${NOW} AND t.email = a.email
    AND ${IS_RESETTABLE}`
const BY_TOKEN = query(OF_OWNER, BY_TOKEN_SQL, 'resettable-factors-by-token')

type Scheduled = Notified & { resetAt: Date; pendingAt: Date | null }

/** Returns the columns of an account and the time of its reset, which is that of a pending one if it is earlier. */
const scheduled = (hours: number): Columns<Scheduled> => ({
  ...CONTACT,
  cancelling: column(`CASE WHEN a.factors_kept_at IS NOT NULL THEN '{}'
    WHEN a.email_verified_at IS NOT NULL AND ${EMAIL_RECOVERS} THEN array_append(${PREVIOUS_EMAILS.sql}, a.email)
    ELSE ${PREVIOUS_EMAILS.sql} END`),
  pendingAt: FACTORS_RESET_AT,
  resetAt: column(`least(${FACTORS_RESET_AT.sql}, ${NOW} + interval '${hours} hours')::timestamptz(3)`),
})
const LOCK_BY_TOKEN = query(
  select(scheduled(LIMITS.factors.reset_hours)),
  (list) => `${BY_TOKEN_SQL(list)} FOR UPDATE OF a, t`,
  'lock-by-factor-reset',
)
const FOR_ADMINISTRATOR = query(
  select(scheduled(LIMITS.factors.admin_reset_hours)),
  (list) => `SELECT ${list} FROM accounts a WHERE a.id = $2 AND ${hasFactor()}`,
  'factor-reset-by-administrator',
)
/** A token cancels the reset that it was sent for, whose time is that of its expiry, and no later one. */
const LOCK_PENDING = query(
  select({ accountId: table('Account', 'a').id, now: column<Date>(NOW) }),
  (list) => `
    SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
    WHERE t.token_hash = $2 AND t.purpose = 'keep_factors' AND t.expires_at = a.factors_reset_at
      AND a.factors_reset_at > ${NOW} AND a.factors_kept_at IS NULL FOR UPDATE OF a, t`,
  'lock-pending-factor-reset',
)

export function factorResets({ pool, shift, inModelChange }: StoreParts): FactorResets {
  return {
    resettable: (accountId) => queryRow(pool, RESETTABLE, shift(), accountId),
    resettableByToken: (tokenHash) => queryRow(pool, BY_TOKEN, shift(), tokenHash),
    requestReset: ({ id: accountId, email, passwordHash }, tokenHash, { auditContext, mails }) =>
      inModelChange(async ({ tx, transaction, shiftSeconds, record }) => {
        const proven = await queryRow(transaction, LOCK_PROVEN, shiftSeconds, accountId, email, passwordHash)
        if (!proven) return false
        const expiresAt = new Date(proven.now.getTime() + LIMITS.reset.minutes * 60_000)
        const purpose = 'reset_factors'
        await tx.emailToken.deleteMany({ where: { accountId, purpose } })
        await tx.emailToken.createMany({ data: { tokenHash, accountId, purpose, email, expiresAt } })
        await record(accountId, {
          auditEvents: [{ event: 'factor_reset_requested', accountId, ...auditContext }],
          mails,
        })
        return true
      }),
    confirmReset: (tokenHash, { verification, auditContext, ...notice }) =>
      inModelChange(async (change) => {
        const { transaction, shiftSeconds } = change
        const account = await queryRow(transaction, LOCK_BY_TOKEN, shiftSeconds, tokenHash)
        if (!account) return undefined
        if (verification.phone !== account.phone) throw invalidData({ otp: ['otp_wrong'] })
        await useVerification(transaction, verification)
        const { accountId } = account
        const event = { event: 'factor_reset_confirmed', accountId, ...auditContext } as const
        return writeReset(change, account, { event, ...notice, isBySupport: false })
      }),
    cancelReset: (tokenHash, auditContext) =>
      inModelChange(async ({ tx, transaction, shiftSeconds, record }) => {
        const pending = await queryRow(transaction, LOCK_PENDING, shiftSeconds, tokenHash)
        if (!pending) return false
        const { accountId, now: factorsKeptAt } = pending
        const kept = { factorsResetAt: null, factorsResetBySupport: false, factorsKeptAt }
        await tx.account.update({ where: { id: accountId }, data: kept, select: { id: true } })
        await tx.emailToken.deleteMany({ where: { accountId, purpose: { in: ['reset_factors', 'keep_factors'] } } })
        await record(accountId, {
          auditEvents: [{ event: 'factor_reset_cancelled', accountId, ...auditContext }],
        })
        return true
      }),
  }
}

type NewReset = Readonly<{
  event: AuditEvent
  cancelHash: Hash
  toMails: Confirmation['toMails']
  isBySupport: boolean
}>

/** Returns an account that has second factors, whose row the transaction has locked. */
export async function findProtected(
  { transaction, shiftSeconds }: Change,
  accountId: number,
): Promise<Scheduled | undefined> {
  return queryRow(transaction, FOR_ADMINISTRATOR, shiftSeconds, accountId)
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
  reset: Omit<NewReset, 'isBySupport'>,
): Promise<PendingReset> {
  const account = await findProtected(change, accountId)
  if (!account) throw new Failure('second_factor_missing')
  const { pendingAt, resetAt, ...owner } = account
  if (!pendingAt || pendingAt > resetAt) return writeReset(change, account, { ...reset, isBySupport: true })
  const bySupport = { factorsResetBySupport: true }
  await change.tx.account.update({ where: { id: accountId }, data: bySupport, select: { id: true } })
  return { owner, resetAt, isUnchanged: true }
}

/** Stores the time of a reset, and the token that cancels it. Those that were sent for a pending one cancel it at its new time, too. */
async function writeReset(
  change: ModelChange,
  { resetAt, pendingAt, ...owner }: Scheduled,
  { event, cancelHash: tokenHash, toMails, isBySupport }: NewReset,
): Promise<PendingReset> {
  const { tx, record } = change
  const { accountId, email } = owner
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
