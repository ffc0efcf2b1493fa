import type { Credentials } from '../domain/account.ts'
import type { Database } from './database.ts'

export type Accounts = {
  /** @param email normalised */
  credentialsByEmail(email: string): Promise<Credentials | undefined>
  hasPhone(e164: string): Promise<boolean>
  /** Replaces the hash of a password by another one of the same password, unless it changed meanwhile. */
  renewHash(account: Credentials, passwordHash: string): Promise<void>
}

export function accounts({ prisma }: Database): Accounts {
  return {
    async credentialsByEmail(email) {
      const select = { id: true, email: true, passwordHash: true, status: true } as const
      return (await prisma.account.findUnique({ where: { email }, select })) ?? undefined
    },
    async hasPhone(phone) {
      return (await prisma.account.findUnique({ where: { phone }, select: { id: true } })) !== null
    },
    async renewHash({ id, passwordHash: old }, passwordHash) {
      await prisma.account.updateMany({ where: { id, passwordHash: old }, data: { passwordHash } })
    },
  }
}
