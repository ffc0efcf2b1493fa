// What all second factors share when they are added and removed.
import { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import { execute } from '../../database/sql.ts'
import type { FactorOwner } from '../../domain/accounts/account.ts'
import type { NewUndo, OpenedUndo } from '../../domain/accounts/undo.ts'
import type { AuditContext, AuditEvent } from '../../domain/audit/audit-context.ts'
import { Failure } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { LockedFactorOwner, LockedOwnAccount } from '../accounts/lock-account.ts'
import type { ModelChange } from '../changes.ts'
import { revoke } from '../revocation/index.ts'
import { END_EARLIER_SESSIONS } from '../sessions/end.ts'
import { NO_FACTORS, NO_RESET } from './state.ts'

const DAY_MS = 86_400_000

/** What a change records: the audit context of its event, and the e-mails about it */
export type Records = Readonly<{ auditContext: AuditContext; toMails: (owner: Notified) => readonly NewMail[] }>

/** The same of a change that can be undone */
export type ChangeRecords = Omit<Records, 'toMails'> &
  Readonly<{ undo: NewUndo; toMails: (owner: FactorOwner, opened: OpenedUndo) => readonly NewMail[] }>

/** A change that can be undone */
export type ChangedFactors = Readonly<{ owner: FactorOwner; opened: OpenedUndo }>

/** The owner of changed factors. An undone change leaves no previous addresses to notify. */
type Notified = Pick<FactorOwner, 'accountId' | 'email'> & Partial<FactorOwner>

/** Without one, an owner who has lost the factor could not get the account back. */
export function requireVerifiedContact({ hasVerifiedContact }: Pick<LockedOwnAccount, 'hasVerifiedContact'>): void {
  if (!hasVerifiedContact) throw new Failure('verified_contact_required')
}

type Addition = ChangeRecords & Readonly<{ event: AuditEvent['event']; sessionId: string; opened: OpenedUndo }>

/**
 * Records a new factor. The first one also begins the protection of the account: sessions and tokens that a password alone has proven
 * end, except the session that adds the factor. A reset that has ended the previous factors ends too.
 */
export async function recordAddition(
  change: ModelChange,
  owner: LockedFactorOwner,
  { event, sessionId, auditContext, opened, toMails }: Addition,
): Promise<void> {
  const { accountId, factorsSince, now } = owner
  const revocation = { askedBy: sessionId, except: sessionId }
  const protectedSince = { ...NO_RESET, factorsVouched: true, factorsSince: now }
  const revoked = factorsSince === null && (await revoke(change, accountId, revocation, protectedSince))
  await change.record(accountId, {
    ...revoked,
    auditEvents: [{ event, accountId, ...auditContext }],
    mails: toMails(owner, opened),
  })
}

/** Ends the protection of an account after the removal of a factor, unless another one remains. */
export async function endProtectionUnlessNeeded(change: ModelChange, accountId: number): Promise<void> {
  const hasApp = { secondFactors: { totpSecret: { not: null } } }
  const hasPasskey = { passkeys: { some: {} } }
  const remaining = await change.tx.account.count({ where: { id: accountId, OR: [hasApp, hasPasskey] } })
  if (remaining === 0) await endProtection(change, accountId)
}

/**
 * Returns the time from which on a new factor, or new recovery codes, are established.
 *
 * @param isVouchedFor whether the operator has given an enrollment code for it
 */
export function establishedFrom({ now }: Pick<LockedOwnAccount, 'now'>, isVouchedFor: boolean): Date {
  return isVouchedFor ? now : new Date(now.getTime() + LIMITS.factors.established_days * DAY_MS)
}

/** Deletes what an undo would restore: factors that the owner has lost, or support removes. */
export async function forgetRemoved({ tx }: Pick<ModelChange, 'tx'>, accountId: number): Promise<void> {
  await tx.emailToken.updateMany({ where: { accountId }, data: { factors: Prisma.DbNull, totpSecret: null } })
}

/** Deletes all that is stored of the second factors of an account. */
export async function endProtection({ tx, transaction }: ModelChange, accountId: number): Promise<void> {
  await execute(transaction, END_EARLIER_SESSIONS, accountId)
  await tx.passkey.deleteMany({ where: { accountId } })
  await tx.secondFactors.deleteMany({ where: { accountId } })
  await tx.account.update({ where: { id: accountId }, data: NO_FACTORS, select: { id: true } })
}

/**
 * Removes the second factors and recovery codes that were not established at a time: that of a change which an owner undoes, or
 * the present one for a reset of the password. A thief of a session or of the password can have added them.
 */
export async function removeYoungFactors(
  change: ModelChange,
  owner: Notified,
  { at, auditContext, toMails }: Records & { at: Date },
): Promise<void> {
  const { accountId } = owner
  const { passkey, secondFactors } = change.tx
  const passkeys = await passkey.deleteMany({
    where: { accountId, OR: [{ establishedAt: null }, { establishedAt: { gt: at } }] },
  })
  const apps = await secondFactors.updateMany({
    where: {
      accountId,
      totpSecret: { not: null },
      OR: [{ totpEstablishedAt: null }, { totpEstablishedAt: { gt: at } }],
    },
    data: { totpSecret: null, totpConfirmedAt: null },
  })
  const codes = await secondFactors.updateMany({
    where: {
      accountId,
      recoveryCodes: { isEmpty: false },
      OR: [{ codesEstablishedAt: null }, { codesEstablishedAt: { gt: at } }],
    },
    data: { recoveryCodes: [] },
  })
  await secondFactors.updateMany({ where: { accountId }, data: { totpPending: null } })
  if (passkeys.count + apps.count + codes.count === 0) return
  await endProtectionUnlessNeeded(change, accountId)
  await change.record(accountId, {
    auditEvents: [{ event: 'factors_removed', accountId, ...auditContext }],
    mails: toMails(owner),
  })
}
