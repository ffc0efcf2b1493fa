import type { Bearer, Credentials } from '../domain/account.ts'
import type { Database } from './database.ts'

export type Accounts = {
  /** @param email normalised */
  credentialsByEmail(email: string): Promise<Credentials | undefined>
  /** The same of the account behind a token; undefined when the token is no good. */
  credentialsOf(bearer: Bearer): Promise<Credentials | undefined>
  /** Whether an account has verified the number. */
  hasVerifiedPhone(e164: string): Promise<boolean>
  /** Replaces the hash of a password by another one of the same password, unless it changed meanwhile. */
  renewHash(account: Credentials, passwordHash: string): Promise<void>
}

const CREDENTIALS = { id: true, email: true, passwordHash: true, status: true } as const

export function accounts({ prisma }: Database): Accounts {
  return {
    async credentialsByEmail(email) {
      return (await prisma.account.findUnique({ where: { email }, select: CREDENTIALS })) ?? undefined
    },
    async credentialsOf({ accountId, sessionId }) {
      const session = await prisma.session.findFirst({
        where: { id: sessionId, endedAt: null, account: { id: accountId, status: 'active' } },
        select: { account: { select: CREDENTIALS } },
      })
      return session?.account
    },
    async hasVerifiedPhone(phone) {
      const where = { phone, phoneVerifiedAt: { not: null } }
      return (await prisma.account.findFirst({ where, select: { id: true } })) !== null
    },
    async renewHash({ id, passwordHash: old }, passwordHash) {
      await prisma.account.updateMany({ where: { id, passwordHash: old }, data: { passwordHash } })
    },
  }
}
