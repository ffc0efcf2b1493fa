// Changes of the e-mail address of an account whose row is locked.
import type { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Contact } from '../../domain/accounts/contact.ts'
import { invalidateVerification } from './tokens.ts'
import { isEmailProven, type LockedAccountState } from '../accounts/find-account.ts'
import { invalidateRecovery } from '../accounts/revocations.ts'

type Transaction = Prisma.TransactionClient
type Hash = Uint8Array<ArrayBuffer>

/** The hashes of the tokens that are sent to the old address when a change is confirmed */
export type TokensForOldAddress = Readonly<{ undoHash: Hash; consentHash: Hash }>

/** The result of a confirmation: `email` is the confirmed address, and `before` the account before the change. */
export type EmailConfirmation = Readonly<{
  outcome: 'verified' | 'changed' | 'recovery_allowed'
  email: string
  before: Contact
}>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Confirm = TokensForOldAddress & { email: string; isOwn: boolean }

/** Verifies the pending address, which then replaces the old one, or the current address of the account. */
export async function confirm(
  transaction: Transaction,
  account: LockedAccountState,
  made: Confirm,
): Promise<EmailConfirmation | undefined> {
  const { accountId, pendingEmail } = account
  const { email } = made
  const outcome = pendingEmail === email ? 'changed' : 'verified'
  if (outcome === 'verified' && (email !== account.email || isEmailProven(account))) return undefined
  await invalidateVerification(transaction, accountId)
  await (outcome === 'changed' ? change(transaction, account, made) : verify(transaction, account, made))
  return { outcome, email, before: account }
}

async function change(
  transaction: Transaction,
  account: LockedAccountState,
  { email, undoHash, consentHash }: Confirm,
): Promise<void> {
  const { accountId, email: oldEmail, emailVerifiedAt: verifiedAt, now } = account
  await invalidateRecovery(transaction, accountId)
  await transaction.account.update({
    where: { id: accountId },
    data: {
      email,
      pendingEmail: null,
      emailVerifiedAt: now,
      emailRecoversFrom: new Date(now.getTime() + LIMITS.recovery.hold_hours * HOUR_MS),
      emailChangedAt: now,
    },
    select: { id: true },
  })
  const expiresAt = new Date(now.getTime() + LIMITS.email.undo_days * DAY_MS)
  await transaction.emailToken.deleteMany({ where: { accountId, purpose: 'consent' } })
  // A link that was sent to cancel the change now undoes it, in case it is opened just after the confirmation.
  await transaction.emailToken.updateMany({
    where: { accountId, purpose: 'cancel', email: oldEmail },
    data: { purpose: 'undo', expiresAt },
  })
  await transaction.emailToken.createMany({
    data: [
      { tokenHash: undoHash, accountId, purpose: 'undo', email: oldEmail, verifiedAt, expiresAt },
      { tokenHash: consentHash, accountId, purpose: 'consent', email, expiresAt },
    ],
  })
}

async function verify(transaction: Transaction, account: LockedAccountState, { isOwn }: Confirm): Promise<void> {
  const { accountId, emailChangedAt, createdAt, now } = account
  const isOfRegistration = emailChangedAt === null
  // An account can be registered with another person's address. If the link is opened without a login, the address
  // counts as verified since the registration. It then takes precedence over what the registrant has verified since.
  const emailVerifiedAt = isOfRegistration && !isOwn ? createdAt : now
  const waitMs = isOfRegistration ? 0 : LIMITS.recovery.hold_hours * HOUR_MS
  const data = { emailVerifiedAt, emailRecoversFrom: new Date(now.getTime() + waitMs) }
  await transaction.account.update({ where: { id: accountId }, data, select: { id: true } })
}

/** Ends the waiting period of the new address for recovery, with the consent of the old address. */
export async function allowRecovery(
  transaction: Transaction,
  account: LockedAccountState,
  email: string,
): Promise<EmailConfirmation | undefined> {
  const { accountId: id, now } = account
  const { count } = await transaction.account.updateMany({
    where: { id, email, emailRecoversFrom: { gt: now } },
    data: { emailRecoversFrom: now },
  })
  return count === 1 ? { outcome: 'recovery_allowed', email, before: account } : undefined
}
