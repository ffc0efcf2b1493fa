// The parts of an update that concern the e-mail address, the phone number and the password.
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { RequestedEmail } from '../../domain/accounts/contact.ts'
import type { FileKind } from '../../domain/files/file.ts'
import type { Profile, ProfileChange } from '../../domain/profiles/profile.ts'
import { profileVersion, requireVersion } from '../../domain/profiles/version.ts'
import { changedIdentity, requireRecent } from '../../domain/sessions/recent-authentication.ts'
import type { LockedOwnAccount } from '../accounts/lock-account.ts'
import { clearRecentAuthentication, invalidateRecovery, revokeSessions } from '../accounts/revocations.ts'
import { changePhone } from '../recovery/phones.ts'

export type Update = ProfileChange & {
  /** The profile that the change was built for; without it, the update always reads the profile under a lock */
  current?: Profile
  emailWish: RequestedEmail
  /** The versions of which the profile must have one; undefined if any will do */
  expectedVersions: ReadonlySet<string> | undefined
  removedFiles: readonly FileKind[]
}

export function isIdentityChanged({ account, window, emailWish: { email } }: Update, current: Profile): boolean {
  const given = { email, phone: account.phone?.e164, password: account.passwordHash }
  return account.phone !== undefined || window !== undefined || changedIdentity(given, current).length > 0
}

/** @throws Failure 403 `reauthentication_required`, 412 `outdated` */
export function requireSame(
  bearer: Bearer,
  before: LockedOwnAccount,
  { account, emailWish, expectedVersions }: Update,
): void {
  requireVersion(expectedVersions, profileVersion({ ...before, id: bearer.accountId }))
  const given = { email: emailWish.email, phone: account.phone?.e164, password: account.passwordHash }
  requireRecent(bearer.recent, before, changedIdentity(given, before))
}

/** Stores a new phone number and a new password, and revokes what the new password replaces. */
export async function changeIdentity(
  transaction: Prisma.TransactionClient,
  { accountId, sessionId }: Bearer,
  { account: { phone, passwordHash } }: Update,
  shiftSeconds: number,
): Promise<void> {
  if (passwordHash !== undefined) {
    await invalidateRecovery(transaction, accountId)
    await revokeSessions(transaction, accountId, sessionId)
    await clearRecentAuthentication(transaction, sessionId)
    await transaction.account.update({ where: { id: accountId }, data: { passwordHash }, select: { id: true } })
  }
  if (phone) await changePhone(transaction, accountId, phone, shiftSeconds)
}
