// Confirmations of the e-mail address of an account whose row is locked.
import type { Account } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import { doesRecover } from '../../domain/accounts/recovery.ts'
import type { NewUndo, OpenedUndo } from '../../domain/accounts/undo.ts'
import { execute } from '../../database/sql.ts'
import { isEmailProven, type LockedAccountState } from '../accounts/lock-account.ts'
import type { ModelChange } from '../changes.ts'
import { STORE_FORMER_EMAIL } from '../recovery/identifiers.ts'
import { endYoungerCodes } from '../undo/restore.ts'

type Hash = Uint8Array<ArrayBuffer>

/** The hashes of new proofs, of which a confirmed change stores those that are sent to the identifiers before it */
export type NewProofs = Readonly<{ undo: NewUndo; consentHash: Hash }>

/** The result of a confirmation: `email` is the confirmed address, and `before` the account before the change. */
export type EmailConfirmation = Readonly<{
  outcome: 'verified' | 'changed' | 'recovery_allowed'
  email: string
  before: Contact
  /** What undoes a change */
  opened: OpenedUndo
}>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Confirm = Readonly<{ email: string; isOwn: boolean }>

/** A confirmation, and the step that writes it */
export type Confirmed = Omit<EmailConfirmation, 'opened'> & Readonly<{ write: (change: ModelChange) => Promise<void> }>

/**
 * Verifies the pending address, which then replaces the old one, or the current address of the account.
 *
 * @returns undefined if the address is another one, or verified already
 */
export function confirm(account: LockedAccountState, made: Confirm): Confirmed | undefined {
  const { pendingEmail } = account
  const { email } = made
  const outcome = pendingEmail === email ? 'changed' : 'verified'
  if (outcome === 'verified' && (email !== account.email || isProven(account, made))) return undefined
  const write = outcome === 'changed' ? replace : verify
  return { outcome, email, before: account, write: (change) => write(change, account, made) }
}

/** A link without a session proves nothing more about an address that another one has verified. */
function isProven(account: LockedAccountState, { isOwn }: Confirm): boolean {
  return isEmailProven(isOwn ? account : { ...account, emailByLink: false })
}

async function replace(
  { tx, transaction }: ModelChange,
  { accountId, pendingEmailBy, now }: LockedAccountState,
  { email, isOwn }: Confirm,
): Promise<void> {
  await execute(transaction, STORE_FORMER_EMAIL, accountId)
  const changed = {
    email,
    pendingEmail: null,
    emailVerifiedAt: now,
    emailByLink: !isOwn,
    emailRecoversFrom: new Date(now.getTime() + LIMITS.recovery.hold_hours * HOUR_MS),
    emailChangedAt: now,
    emailChangedBy: pendingEmailBy,
  }
  await tx.account.update({ where: { id: accountId }, data: changed, select: { id: true } })
  await tx.emailToken.deleteMany({ where: { accountId, purpose: { in: ['verify', 'consent'] } } })
}

/** Stores the token with which the old address consents to a change. */
export async function addConsent(
  { tx }: ModelChange,
  { accountId, now }: LockedAccountState,
  consent: { tokenHash: Hash; email: string },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + LIMITS.email.undo_days * DAY_MS)
  await tx.emailToken.createMany({ data: { ...consent, accountId, purpose: 'consent', expiresAt } })
}

async function verify({ tx }: ModelChange, account: LockedAccountState, made: Confirm): Promise<void> {
  const { accountId } = account
  await tx.account.update({ where: { id: accountId }, data: verified(account, made), select: { id: true } })
  await tx.emailToken.deleteMany({ where: { accountId, purpose: 'verify' } })
}

function verified(
  { emailByLink, emailChangedAt, emailRecoversFrom: from, createdAt, now }: LockedAccountState,
  { isOwn }: Confirm,
): Partial<Account> {
  if (emailByLink && from !== null) return { emailByLink: false }
  const isOfRegistration = emailChangedAt === null
  // An account can be registered with another person's address. If the link is opened without a login, the address
  // counts as verified since the registration. It then takes precedence over what the registrant has verified since.
  const emailVerifiedAt = isOfRegistration && !isOwn ? createdAt : now
  const waitMs = isOfRegistration ? 0 : LIMITS.recovery.hold_hours * HOUR_MS
  return { emailVerifiedAt, emailByLink: !isOwn, emailRecoversFrom: new Date(now.getTime() + waitMs) }
}

/** Ends the waiting period of the new address for recovery, with the consent of the old address. */
export function allowRecovery(account: LockedAccountState, email: string): Confirmed | undefined {
  const { accountId, emailRecoversFrom, formerEmailVerifiedAt, now } = account
  if (account.email !== email || emailRecoversFrom === null || doesRecover(emailRecoversFrom, now)) return undefined
  const write = async (change: ModelChange): Promise<void> => {
    const settled = { emailRecoversFrom: now, formerEmailUntil: null }
    await change.tx.account.update({ where: { id: accountId }, data: settled, select: { id: true } })
    await endYoungerCodes(change, accountId, formerEmailVerifiedAt)
  }
  return { outcome: 'recovery_allowed', email, before: account, write }
}
