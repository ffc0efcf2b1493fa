// What becomes of the e-mail address of an account whose row is locked.
import type { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Contact } from '../../domain/contact.ts'
import { endVerification } from './tokens.ts'
import { isProven, type FoundAccount } from '../held-account.ts'
import { endRecovery } from '../own-account.ts'

type Transaction = Prisma.TransactionClient
type Hash = Uint8Array<ArrayBuffer>

/** The hashes of the tokens that the old address gets if a change is confirmed */
export type TokensForOldAddress = Readonly<{ undoHash: Hash; consentHash: Hash }>

/** What a confirmation has done: `email` is the address that it was for, and `before` the account before it. */
export type EmailConfirmation = Readonly<{
  outcome: 'verified' | 'changed' | 'recovery_allowed'
  email: string
  before: Contact
}>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Confirm = TokensForOldAddress & { email: string; isOwn: boolean }

/** Verifies the pending address, which then replaces the old one, or the address that the account has. */
export async function confirm(
  transaction: Transaction,
  account: FoundAccount,
  made: Confirm,
): Promise<EmailConfirmation | undefined> {
  const { accountId, pendingEmail } = account
  const { email } = made
  const outcome = pendingEmail === email ? 'changed' : 'verified'
  if (outcome === 'verified' && (email !== account.email || isProven(account))) return undefined
  await endVerification(transaction, accountId)
  await (outcome === 'changed' ? change(transaction, account, made) : verify(transaction, account, made))
  return { outcome, email, before: account }
}

async function change(
  transaction: Transaction,
  account: FoundAccount,
  { email, undoHash, consentHash }: Confirm,
): Promise<void> {
  const { accountId, email: oldEmail, emailVerifiedAt: verifiedAt, now } = account
  await endRecovery(transaction, accountId)
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
  // A link that was sent to cancel the change undoes it from now on: its reader may be too late by a second.
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

async function verify(transaction: Transaction, account: FoundAccount, { isOwn }: Confirm): Promise<void> {
  const { accountId, emailChangedAt, createdAt, now } = account
  const isOfRegistration = emailChangedAt === null
  // Anybody can register with another person's address. Its owner, who follows the link without being logged in, then
  // outranks everything that the registrant has proven since: the address counts as verified since the registration.
  const emailVerifiedAt = isOfRegistration && !isOwn ? createdAt : now
  const waitMs = isOfRegistration ? 0 : LIMITS.recovery.hold_hours * HOUR_MS
  const data = { emailVerifiedAt, emailRecoversFrom: new Date(now.getTime() + waitMs) }
  await transaction.account.update({ where: { id: accountId }, data, select: { id: true } })
}

/** The old address consents: the new one need not wait. */
export async function allowRecovery(
  transaction: Transaction,
  account: FoundAccount,
  email: string,
): Promise<EmailConfirmation | undefined> {
  const { accountId: id, now } = account
  const { count } = await transaction.account.updateMany({
    where: { id, email, emailRecoversFrom: { gt: now } },
    data: { emailRecoversFrom: now },
  })
  return count === 1 ? { outcome: 'recovery_allowed', email, before: account } : undefined
}
