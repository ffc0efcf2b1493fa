import type { Bearer, Credentials } from '../domain/account.ts'
import type { PersonalDetails } from '../domain/password.ts'
import type { Database } from './database.ts'

export type Accounts = {
  /** @param email normalised */
  credentialsByEmail(email: string): Promise<Credentials | undefined>
  /** The same of the account behind a token; undefined when the token is no good. */
  credentialsOf(bearer: Bearer): Promise<Credentials | undefined>
  hasPhone(e164: string): Promise<boolean>
  /** Whether an active account has confirmed the number. */
  hasConfirmedPhone(e164: string): Promise<boolean>
  /** What is known of the person whose account it is, by id or by e-mail address. */
  personOf(account: { id: number } | { email: string } | { phone: string }): Promise<PersonalDetails>
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
    async hasPhone(phone) {
      return (await prisma.account.findUnique({ where: { phone }, select: { id: true } })) !== null
    },
    async hasConfirmedPhone(phone) {
      return (await prisma.account.count({ where: { phone, phoneVerified: true, status: 'active' } })) > 0
    },
    async personOf(where) {
      const select = { email: true, phone: true, profile: { select: { name: true } } } as const
      const found = await prisma.account.findFirst({ where, select })
      return found ? { email: found.email, phone: found.phone, name: found.profile?.name } : {}
    },
    async renewHash({ id, passwordHash: old }, passwordHash) {
      await prisma.account.updateMany({ where: { id, passwordHash: old }, data: { passwordHash } })
    },
  }
}
