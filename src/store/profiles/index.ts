import type { Account, Prisma } from '../../../generated/prisma/client.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { ContactChange, RequestedEmail } from '../../domain/accounts/contact.ts'
import type { Clock } from '../../domain/clock.ts'
import type { FileKind } from '../../domain/files/file.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import type { ProfileChange } from '../../domain/profiles/profile.ts'
import { profileVersion, requireVersion } from '../../domain/profiles/version.ts'
import { changedIdentity, requireRecent } from '../../domain/sessions/recent-authentication.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import type { Database } from '../../database/index.ts'
import { changeEmail } from '../email/changes.ts'
import { throwIfTaken } from '../../database/database-errors.ts'
import { replaceFiles } from '../files/index.ts'
import { writeLawyer } from './lawyers.ts'
import { lockAccountForUpdate, type LockedOwnAccount } from '../accounts/lock-account.ts'
import { clearRecentAuthentication, invalidateRecovery, revokeSessions } from '../accounts/revocations.ts'
import { useWindow } from '../phone-verifications.ts'
import { toPersonRow, type Written } from './rows.ts'
import { profileUpdatedEvent } from './events.ts'
import { changePhone } from '../recovery/phones.ts'
import type { EnqueueEvents } from '../events/outbox.ts'

export type Profiles = {
  /** Returns which identifiers belong to an account. A number belongs to the account that has verified it. */
  taken(wanted: { email: string | undefined; phone: string | undefined }): Promise<Taken>
  /**
   * Applies a change and records it, all or nothing. Returns the keys of the replaced files, and the changes of the
   * e-mail address and the phone number.
   *
   * @throws Failure 401 `token_revoked` if the session was revoked or the account is suspended, 403
   * `reauthentication_required`, 412 `outdated`, 422 on `email`, `phone` or `otp` if a concurrent request was faster
   */
  update(bearer: Bearer, change: Update, toAuditEvents: (contact: ContactChange) => AuditEvent[]): Promise<Updated>
}

type Update = ProfileChange & {
  emailWish: RequestedEmail
  /** The versions of which the profile must have one; undefined if any will do */
  expectedVersions: ReadonlySet<string> | undefined
  removedFiles: readonly FileKind[]
}
type Updated = Readonly<{ replaced: string[]; contact: ContactChange }>

export type Taken = { email: boolean; phone: boolean }

type Transaction = Prisma.TransactionClient

type Parts = { clock: Clock; log: Log; enqueueEvents: EnqueueEvents }

export function profiles(database: Database, { clock, log, enqueueEvents }: Parts): Profiles {
  const { prisma } = database
  const inTransaction = audited(database, log)

  return {
    async taken({ email, phone }) {
      const either = [...(email === undefined ? [] : [{ email }]), ...(phone === undefined ? [] : [{ phone }])]
      if (either.length === 0) return { email: false, phone: false }
      const others = await prisma.account.findMany({
        where: { OR: either },
        select: { email: true, phone: true, phoneVerifiedAt: true },
      })
      return {
        email: others.some((other) => other.email === email),
        phone: others.some((other) => other.phone === phone && other.phoneVerifiedAt !== null),
      }
    },
    async update(bearer, change, toAuditEvents) {
      return inTransaction(
        ({ contact }: Updated) => toAuditEvents(contact),
        async (transaction) => {
          const before = await lockAccountForUpdate(transaction, bearer)
          const { emailWish, expectedVersions } = change
          requireVersion(expectedVersions, profileVersion({ ...before, id: bearer.accountId }))
          const { phone, passwordHash: password } = change.account
          const given = { email: emailWish.email, phone: phone?.e164, password }
          requireRecent(bearer.recent, before, changedIdentity(given, before))
          await useWindow(transaction, change.window)
          const outcome = await changeEmail(transaction, before, emailWish, clock.shiftMs() / 1000)
          await writeAccount(transaction, bearer, before, change)
          const { accountId } = bearer
          const { lawyer, files, account } = change
          if (account.phone) await changePhone(transaction, accountId, account.phone, clock.shiftMs() / 1000)
          const newFiles = files.map(({ kind }) => kind)
          if (lawyer) await writeLawyer(transaction, accountId, lawyer, newFiles)
          const replaced = await replaceFiles(transaction, accountId, files, change.removedFiles)
          const confirmed = { type: 'phone.confirmed', data: { account_id: accountId } } as const
          const updated = await profileUpdatedEvent(transaction, accountId)
          await enqueueEvents(transaction, ...(account.phone?.isVerified ? [updated, confirmed] : [updated]))
          const newPhone = account.phone?.e164 === before.phone ? undefined : account.phone?.e164
          return { replaced, contact: { before, email: { to: emailWish.email, outcome }, newPhone } }
        },
      ).catch(throwIfTaken)
    },
  }
}

async function writeAccount(
  transaction: Transaction,
  { accountId, sessionId }: Bearer,
  before: LockedOwnAccount,
  { account: { accountType, passwordHash }, person }: ProfileChange,
): Promise<void> {
  if (passwordHash !== undefined) await invalidateRecovery(transaction, accountId)
  const row: Written<Omit<ProfileChange['account'], 'phone'>, Account> = {
    accountType,
    passwordHash: passwordHash ?? before.passwordHash,
  }
  await transaction.account.update({
    where: { id: accountId },
    data: { ...row, profile: { update: toPersonRow(person) } },
    select: { id: true },
  })
  if (passwordHash === undefined) return
  await revokeSessions(transaction, accountId, sessionId)
  await clearRecentAuthentication(transaction, sessionId)
}
