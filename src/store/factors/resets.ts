// Resets of second factors that were lost: the owner requests one with the password, and confirms it with a link and a code.
import { LIMITS } from '../../../generated/limits.ts'
import { column, select, table, type Columns } from '../../database/columns.ts'
import { NOW, query, queryRow } from '../../database/query.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { AuditContext, AuditEvent } from '../../domain/audit/audit-context.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { NOT_OPENED, type NewUndo, type OpenedUndo } from '../../domain/accounts/undo.ts'
import { resetHours } from '../../domain/factors/proof-order.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import { CONTACT, PREVIOUS_EMAILS } from '../accounts/lock-account.ts'
import type { Change, ModelChange, StoreParts } from '../changes.ts'
import { useVerification } from '../phone-verifications.ts'
import { EMAIL_RECOVERS, PHONE_RECOVERS } from '../recovery/sql.ts'
import { openUndo } from '../undo/open.ts'
import { forgetRemoved } from './enrollment.ts'
import { FACTORS_RESET_AT, hasFactor } from './state.ts'

export type FactorResets = {
  /** Returns the owner of an account whose second factors the owner can reset; undefined if only an administrator can. */
  resettable(accountId: number): Promise<Resettable | undefined>
  /**
   * Stores the hashes of the tokens that confirm a reset, in place of earlier ones, and the e-mail with the link.
   *
   * @returns false if the password has changed since it was compared, or the owner can no longer reset the factors
   */
  requestReset(account: Proven, hashes: Hashes, records: Records): Promise<boolean>
  /** Returns the owner of the account that a token resets the factors of. */
  resettableByToken(tokenHash: Hash): Promise<ResettableByToken | undefined>
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

/** An owner who can reset the second factors, and with what: a link to the address, a code to the number, or both */
export type Resettable = Contact & Readonly<{ byEmail: boolean; byPhone: boolean }>

/** The owner whom the token of a link was sent to, or that of a code, and whether one of them suffices */
export type ResettableByToken = Contact & Readonly<{ isLink: boolean; needsCode: boolean }>

const HOUR_MS = 3_600_000

/** A reset, the owner to notify of it, and whether the number gets a code, unless an earlier one was pending and nothing has changed */
export type PendingReset = Readonly<{ owner: Notified; resetAt: Date; opened?: OpenedUndo; isUnchanged?: true }>

/** The owner of the factors, and the addresses that can cancel the reset: those that are established, unless one has cancelled before */
export type Notified = Contact & Readonly<{ cancelling: readonly string[] }>

type Hash = Uint8Array<ArrayBuffer>
/** The token of the link, and the token that confirms the reset with the code alone */
type Hashes = Readonly<{ link: Hash | undefined; code: Hash | undefined }>
type Proven = Readonly<{ id: number; email: string; passwordHash: string }>
type Records = Readonly<{ auditContext: AuditContext; mails: readonly NewMail[] }>
type Confirmation = Readonly<{
  /** The verification of the code; undefined for a link alone */
  verification: PhoneVerification | undefined
  undo: NewUndo
  /** The hash of the token that cancels the reset */
  cancelHash: Hash
  auditContext: AuditContext
  toMails: (owner: Notified, resetAt: Date) => readonly NewMail[]
}>

/** Whether an identifier of the account `a` resets its factors. One that has replaced another one recently may be that of an attacker. */
const BY_EMAIL = `(a.email_verified_at IS NOT NULL AND ${EMAIL_RECOVERS} AND NOT (a.email_by_link AND ${PHONE_RECOVERS} IS NOT TRUE))`
const BY_PHONE = `(${PHONE_RECOVERS})`
const IS_RESETTABLE = `${hasFactor()} AND NOT a.is_admin`

const RESETTABLE = query(
  select<Resettable>({ ...CONTACT, byEmail: column(BY_EMAIL), byPhone: column(BY_PHONE) }),
  (list) => `SELECT ${list} FROM accounts a WHERE a.id = $2 AND ${IS_RESETTABLE} AND (${BY_EMAIL} OR ${BY_PHONE})`,
  'resettable-factors',
)
const LOCK_PROVEN = query(
  select<{ now: Date; phone: string }>({ now: column(NOW), phone: table('Account', 'a').phone }),
  (list) => `
    SELECT ${list} FROM accounts a
    WHERE a.id = $2 AND a.email = $3 AND a.password_hash = $4 AND ${IS_RESETTABLE} FOR UPDATE OF a`,
  'lock-resettable-factors',
)

/** The token of a link is valid only for the address that it was sent to, and that of a code, which has a number, only for that. */
const BY_TOKEN_SQL = (list: string): string => `
  SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
  WHERE t.token_hash = $2 AND t.purpose = 'reset_factors' AND t.expires_at > ${NOW} AND ${IS_RESETTABLE}
    AND CASE WHEN t.phone IS NULL THEN t.email = a.email AND ${BY_EMAIL} ELSE t.phone = a.phone AND ${BY_PHONE} END`
const IS_LINK = column<boolean>('t.phone IS NULL')
const BY_TOKEN = query(
  select<ResettableByToken>({
    ...CONTACT,
    isLink: IS_LINK,
    needsCode: column('t.phone IS NOT NULL OR a.email_by_link'),
  }),
  BY_TOKEN_SQL,
  'resettable-factors-by-token',
)

type Scheduled = Notified & { pendingAt: Date | null; now: Date }

const SCHEDULED: Columns<Scheduled> = {
  ...CONTACT,
  cancelling: column(`CASE WHEN a.factors_kept_at IS NOT NULL THEN '{}'
    WHEN a.email_verified_at IS NOT NULL AND ${EMAIL_RECOVERS} THEN array_append(${PREVIOUS_EMAILS.sql}, a.email)
    ELSE ${PREVIOUS_EMAILS.sql} END`),
  pendingAt: FACTORS_RESET_AT,
  now: column(NOW),
}
const LOCK_BY_TOKEN = query(
  select<Scheduled & { isLink: boolean }>({ ...SCHEDULED, isLink: IS_LINK }),
  (list) => `${BY_TOKEN_SQL(list)} FOR UPDATE OF a, t`,
  'lock-by-factor-reset',
)
const FOR_ADMINISTRATOR = query(
  select(SCHEDULED),
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
    requestReset: ({ id: accountId, email, passwordHash }, { link, code }, { auditContext, mails }) =>
      inModelChange(async ({ tx, transaction, shiftSeconds, record }) => {
        const proven = await queryRow(transaction, LOCK_PROVEN, shiftSeconds, accountId, email, passwordHash)
        if (!proven) return false
        const expiresAt = new Date(proven.now.getTime() + LIMITS.reset.minutes * 60_000)
        const token = { accountId, purpose: 'reset_factors', email, expiresAt } as const
        await tx.emailToken.deleteMany({ where: { accountId, purpose: token.purpose } })
        const byLink = link ? [{ ...token, tokenHash: link }] : []
        const byCode = code ? [{ ...token, tokenHash: code, phone: proven.phone }] : []
        await tx.emailToken.createMany({ data: [...byLink, ...byCode] })
        await record(accountId, {
          auditEvents: [{ event: 'factor_reset_requested', accountId, ...auditContext }],
          mails,
        })
        return true
      }),
    confirmReset: (tokenHash, { verification, undo, auditContext, ...notice }) =>
      inModelChange(async (change) => {
        const { transaction, shiftSeconds } = change
        const account = await queryRow(transaction, LOCK_BY_TOKEN, shiftSeconds, tokenHash)
        if (!account) return undefined
        if (verification && verification.phone !== account.phone) throw invalidData({ otp: ['otp_wrong'] })
        if (verification) await useVerification(transaction, verification)
        const { accountId, isLink } = account
        const event = { event: 'factor_reset_confirmed', accountId, ...auditContext } as const
        const opened = verification ? NOT_OPENED : await openUndo(change, account, undo, 'factorReset')
        const resetAt = resetTime(account, resetHours({ byEmail: isLink, byPhone: verification !== undefined }))
        return { ...(await writeReset(change, account, { event, resetAt, ...notice, isBySupport: false })), opened }
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
  resetAt: Date
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
