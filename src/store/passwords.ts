import type { Prisma } from '../../generated/prisma/client.ts'
import { LIMITS } from '../../generated/limits.ts'
import type { Bearer } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { PhoneVerification } from '../domain/phone-verification.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { useWindow } from './phone-verifications.ts'

export type Passwords = {
  /** Replaces the hash of a password, unless it changed meanwhile, and ends the other sessions; resolves to whether it did. */
  change(bearer: Bearer, hash: { from: string; to: string }, trace: Trace): Promise<boolean>
  /** Keeps a token that sets a new password, by its hash, for a while. */
  addReset(accountId: number, tokenHash: Uint8Array<ArrayBuffer>): Promise<void>
  /** The e-mail address of the account that a token is for; undefined when the token is no good. */
  emailOfReset(tokenHash: Uint8Array<ArrayBuffer>): Promise<string | undefined>
  /** Sets a new hash and ends all sessions, with a token that is used up. Gives the address of the account, if it did. */
  reset(tokenHash: Uint8Array<ArrayBuffer>, passwordHash: string, trace: Trace): Promise<string | undefined>
  /** The same with a window whose code is used up. */
  resetByPhone(window: PhoneVerification, passwordHash: string, trace: Trace): Promise<string | undefined>
}

type Changed = { id: number; email: string } | undefined
type Where = { id: number } | { phone: string }

export function passwords(database: Database, { clock, log }: { clock: Clock; log: Log }): Passwords {
  const { prisma } = database
  const inTransaction = audited(database, log)
  const now = (): Date => new Date(clock.nowMs())
  const eventsOfReset =
    (trace: Trace) =>
    (changed: Changed): AuditEvent[] =>
      changed ? [{ event: 'password_reset', accountId: changed.id, ...trace }] : []
  return {
    async addReset(accountId, tokenHash) {
      const expiresAt = new Date(clock.nowMs() + LIMITS.reset.minutes * 60_000)
      await prisma.passwordReset.create({ data: { accountId, tokenHash, expiresAt }, select: { accountId: true } })
    },
    async emailOfReset(tokenHash) {
      const where = { tokenHash, expiresAt: { gt: now() }, account: { status: 'active' as const } }
      const reset = await prisma.passwordReset.findFirst({ where, select: { account: { select: { email: true } } } })
      return reset?.account.email
    },
    async reset(tokenHash, passwordHash, trace) {
      const changed = await inTransaction(eventsOfReset(trace), async (transaction) => {
        const used = await transaction.passwordReset.findUnique({ where: { tokenHash } })
        const { count } = await transaction.passwordReset.deleteMany({ where: { tokenHash, expiresAt: { gt: now() } } })
        return used && count === 1 ? replace(transaction, { id: used.accountId }, passwordHash) : undefined
      })
      return changed?.email
    },
    async resetByPhone(window, passwordHash, trace) {
      const changed = await inTransaction(eventsOfReset(trace), async (transaction) => {
        await useWindow(transaction, window)
        return replace(transaction, { phone: window.phone }, passwordHash)
      })
      return changed?.email
    },
    async change({ accountId, sessionId }, { from, to }, trace) {
      const eventsOf = (isChanged: boolean): AuditEvent[] =>
        isChanged ? [{ event: 'password_changed', accountId, ...trace }] : []
      return inTransaction(eventsOf, async (transaction) => {
        const { count } = await transaction.account.updateMany({
          where: { id: accountId, passwordHash: from, status: 'active' },
          data: { passwordHash: to },
        })
        if (count === 1) await endSessions(transaction, accountId, sessionId)
        return count === 1
      })
    },
  }
}

/** The account that is active, with the new hash, without sessions and without other tokens that would set another. */
async function replace(transaction: Prisma.TransactionClient, where: Where, passwordHash: string): Promise<Changed> {
  const account = await transaction.account.findFirst({
    where: { ...where, status: 'active' },
    select: { id: true, email: true },
  })
  if (!account) return undefined
  await transaction.account.update({ where: { id: account.id }, data: { passwordHash }, select: { id: true } })
  await transaction.passwordReset.deleteMany({ where: { accountId: account.id } })
  await endSessions(transaction, account.id)
  return account
}

/** Ends the sessions of an account, but for one. */
export async function endSessions(
  transaction: Prisma.TransactionClient,
  accountId: number,
  but?: string,
): Promise<void> {
  await transaction.session.updateMany({
    where: { accountId, endedAt: null, ...(but !== undefined && { id: { not: but } }) },
    data: { endedAt: new Date() },
  })
}
