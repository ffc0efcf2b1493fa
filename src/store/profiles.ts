import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { AuditEvent } from '../domain/trace.ts'
import type { ProfileChange } from '../domain/profile.ts'
import { changedIdentity, requireRecent } from '../domain/recent-authentication.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { refuseTaken } from './faults.ts'
import { replaceFiles } from './files.ts'
import { writeLawyer } from './lawyers.ts'
import { endRecentAuthentication, endRecovery, endSessions, holdAccount } from './own-account.ts'
import { useWindow } from './phone-verifications.ts'
import { profileNews } from './profile-news.ts'
import type { Tell } from './tell.ts'

export type Profiles = {
  /** Which of them belong to an account. */
  taken(wanted: { email: string | undefined; phone: string | undefined }): Promise<Taken>
  /**
   * Applies all of a change and records it, or nothing of it. Resolves to the keys of the files that are not used any more.
   *
   * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile, 403
   * `reauthentication_required` when it changes what its session may not change (any more), 422 on `email`, `phone` or
   * `otp` when somebody else was faster
   */
  update(bearer: Bearer, change: ProfileChange, events: readonly AuditEvent[]): Promise<string[]>
}

export type Taken = { email: boolean; phone: boolean }

type Transaction = Prisma.TransactionClient

export function profiles(database: Database, { log, tell }: { log: Log; tell: Tell }): Profiles {
  const { prisma } = database
  const inTransaction = audited(database, log)

  return {
    async taken({ email, phone }) {
      const either = [...(email === undefined ? [] : [{ email }]), ...(phone === undefined ? [] : [{ phone }])]
      if (either.length === 0) return { email: false, phone: false }
      const others = await prisma.account.findMany({
        where: { OR: either },
        select: { email: true, phone: true },
      })
      return {
        email: others.some((other) => other.email === email),
        phone: others.some((other) => other.phone === phone),
      }
    },
    async update(bearer, change, events) {
      return inTransaction(
        () => events,
        async (transaction) => {
          const held = await holdAccount(transaction, bearer)
          const { email, phone, passwordHash: password } = change.account
          requireRecent(bearer.recent, held, changedIdentity({ email, phone: phone?.e164, password }, held))
          await useWindow(transaction, change.window)
          await writeAccount(transaction, bearer, change, held.email)
          const { accountId } = bearer
          const { lawyer, files, account } = change
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
  { account: { email, accountType, phone, passwordHash }, person }: ProfileChange,
  emailBefore: string,
): Promise<void> {
  if (email !== emailBefore || passwordHash !== undefined) await endRecovery(transaction, accountId)
  await transaction.account.update({
    where: { id: accountId },
    data: {
      email,
      accountType,
      ...(phone && { phone: phone.e164, phoneCode: phone.code, phoneVerified: phone.isVerified }),
      ...(passwordHash !== undefined && { passwordHash }),
      profile: { update: person },
    },
    select: { id: true },
  })
  if (passwordHash === undefined) return
  await endSessions(transaction, accountId, sessionId)
  await endRecentAuthentication(transaction, sessionId)
}
