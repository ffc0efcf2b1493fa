import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { ContactChange, EmailWish } from '../domain/contact.ts'
import type { Clock } from '../domain/clock.ts'
import type { AuditEvent } from '../domain/trace.ts'
import type { ProfileChange } from '../domain/profile.ts'
import { changedIdentity, requireRecent } from '../domain/recent-authentication.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { changeEmail } from './email/changes.ts'
import { refuseTaken } from './faults.ts'
import { replaceFiles } from './files.ts'
import { writeLawyer } from './lawyers.ts'
import { endRecentAuthentication, endRecovery, endSessions, holdAccount } from './own-account.ts'
import { useWindow } from './phone-verifications.ts'
import { profileNews } from './profile-news.ts'
import { changePhone } from './recovery/phones.ts'
import type { Tell } from './tell.ts'

export type Profiles = {
  /** Which of them belong to an account; a number belongs to the one that has verified it. */
  taken(wanted: { email: string | undefined; phone: string | undefined }): Promise<Taken>
  /**
   * Applies all of a change and records it, or nothing of it. Resolves to the keys of the files that are not used any more
   * (`replaced`), and to what has changed of the addresses of the account.
   *
   * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile, 403
   * `reauthentication_required` when it changes what its session may not change (any more), 422 on `email`, `phone` or
   * `otp` when somebody else was faster
   */
  update(bearer: Bearer, change: Update, eventsOf: (contact: ContactChange) => AuditEvent[]): Promise<Updated>
}

type Update = ProfileChange & { emailWish: EmailWish }
type Updated = Readonly<{ replaced: string[]; contact: ContactChange }>

export type Taken = { email: boolean; phone: boolean }

type Transaction = Prisma.TransactionClient

type Parts = { clock: Clock; log: Log; tell: Tell }

export function profiles(database: Database, { clock, log, tell }: Parts): Profiles {
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
    async update(bearer, change, eventsOf) {
      return inTransaction(
        ({ contact }: Updated) => eventsOf(contact),
        async (transaction) => {
          const before = await holdAccount(transaction, bearer)
          const { emailWish } = change
          const { phone, passwordHash: password } = change.account
          const given = { email: emailWish.email, phone: phone?.e164, password }
          requireRecent(bearer.recent, before, changedIdentity(given, before))
          await useWindow(transaction, change.window)
          const outcome = await changeEmail(transaction, before, emailWish, clock.shiftMs() / 1000)
          await writeAccount(transaction, bearer, change)
          const { accountId } = bearer
          const { lawyer, files, account } = change
          if (account.phone) await changePhone(transaction, accountId, account.phone, clock.shiftMs() / 1000)
          const newFiles = files.map(({ kind }) => kind)
          if (lawyer) await writeLawyer(transaction, accountId, lawyer, newFiles)
          const replaced = await replaceFiles(transaction, accountId, files)
          const confirmed = { type: 'phone.confirmed', data: { account_id: accountId } } as const
          const updated = await profileNews(transaction, accountId)
          await tell(transaction, ...(account.phone?.isVerified ? [updated, confirmed] : [updated]))
          const newPhone = account.phone?.e164 === before.phone ? undefined : account.phone?.e164
          return { replaced, contact: { before, email: { to: emailWish.email, outcome }, newPhone } }
        },
      ).catch(refuseTaken)
    },
  }
}

async function writeAccount(
  transaction: Transaction,
  { accountId, sessionId }: Bearer,
  { account: { accountType, passwordHash }, person }: ProfileChange,
): Promise<void> {
  if (passwordHash !== undefined) await endRecovery(transaction, accountId)
  await transaction.account.update({
    where: { id: accountId },
    data: {
      accountType,
      ...(passwordHash !== undefined && { passwordHash }),
      profile: { update: person },
    },
    select: { id: true },
  })
  if (passwordHash === undefined) return
  await endSessions(transaction, accountId, sessionId)
  await endRecentAuthentication(transaction, sessionId)
}
