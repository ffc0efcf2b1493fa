// The parts of an update that concern the e-mail address, the phone number and the password.
import { assigned, type Bind, type Part } from '../../database/composed.ts'
import type { Bearer, EmailChange, RequestedEmail } from '../../domain/accounts/account.ts'
import type { FileKind } from '../../domain/files/file.ts'
import { profileVersion, requireVersion, type Profile, type ProfileChange } from '../../domain/profiles/profile.ts'
import { changedIdentity, requireRecent } from '../../domain/sessions/recent-authentication.ts'
import type { LockedOwnAccount } from '../accounts/lock-account.ts'
import { revoke } from '../revocation/index.ts'
import { setAccount } from '../accounts/update-account.ts'
import { emailParts } from '../email/changes.ts'

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

/**
 * Returns the parts that change the e-mail address and the password. A new password is a revocation, which the asking session
 * survives. The time of its authentication is unchanged: a new password proves nothing about the old one.
 */
export function identityParts(
  { sessionId }: Bearer,
  { account: { passwordHash }, emailWish }: Update,
  { before, change, shiftSeconds }: { before: LockedOwnAccount; change: EmailChange; shiftSeconds: number },
  bind: Bind,
): Part[] {
  const { ended, added, ...email } = emailParts(change, emailWish, before, { bind, shiftSeconds })
  if (passwordHash === undefined) return [setAccount(email.assigned), ...ended, ...added]
  const all = { ...email.assigned, ...assigned({ passwordHash }, bind) }
  return [...revoke({ assigned: all, except: sessionId, shiftSeconds }, bind), ...added]
}
