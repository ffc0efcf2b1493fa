import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { AuditEvent } from '../domain/trace.ts'
import type { ProfileChange } from '../domain/profile.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { refuseTaken } from './faults.ts'
import { replaceFiles } from './files.ts'
import { writeLawyer } from './lawyers.ts'
import { endRecovery, endSessions, holdAccount } from './own-account.ts'
import { useWindow } from './phone-verifications.ts'
import { profileNews } from './profile-news.ts'
import { changePhone } from './recovery/phones.ts'
import type { Tell } from './tell.ts'

export type Profiles = {
  /** Which of them belong to an account; a number belongs to the one that has verified it. */
  taken(wanted: { email: string | undefined; phone: string | undefined }): Promise<Taken>
  /**
   * Applies all of a change and records it, or nothing of it. Resolves to the keys of the files that are not used any more.
   *
   * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile, 422 on `email`, `phone` or
   * `otp` when somebody else was faster
   */
  update(bearer: Bearer, change: ProfileChange, events: readonly AuditEvent[]): Promise<string[]>
}

export type Taken = { email: boolean; phone: boolean }

type Transaction = Prisma.TransactionClient

export function profiles(database: Database, { clock, log, tell }: { clock: Clock; log: Log; tell: Tell }): Profiles {
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
    async update(bearer, change, events) {
      return inTransaction(
        () => events,
        async (transaction) => {
          const { email: emailBefore } = await holdAccount(transaction, bearer)
          await useWindow(transaction, change.window)
          await writeAccount(transaction, bearer, change, emailBefore)
          const { accountId } = bearer
          const { lawyer, files, account } = change
          if (account.phone) await changePhone(transaction, accountId, account.phone, clock.shiftMs() / 1000)
          const newFiles = files.map(({ kind }) => kind)
          if (lawyer) await writeLawyer(transaction, accountId, lawyer, newFiles)
          const replaced = await replaceFiles(transaction, accountId, files)
          const confirmed = { type: 'phone.confirmed', data: { account_id: accountId } } as const
          const updated = await profileNews(transaction, accountId)
          await tell(transaction, ...(account.phone?.isVerified ? [updated, confirmed] : [updated]))
          return replaced
        },
      ).catch(refuseTaken)
    },
  }
}

async function writeAccount(
  transaction: Transaction,
  { accountId, sessionId }: Bearer,
  { account: { email, accountType, passwordHash }, person }: ProfileChange,
  emailBefore: string,
): Promise<void> {
  if (email !== emailBefore || passwordHash !== undefined) await endRecovery(transaction, accountId)
  await transaction.account.update({
    where: { id: accountId },
    data: {
      email,
      accountType,
      ...(passwordHash !== undefined && { passwordHash }),
      profile: { update: person },
    },
    select: { id: true },
  })
  if (passwordHash === undefined) return
  await endSessions(transaction, accountId, sessionId)
}
