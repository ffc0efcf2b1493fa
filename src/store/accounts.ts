import { LIMITS } from '../../generated/limits.ts'
import type { Bearer, Credentials, LoginCredentials } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { PersonalDetails } from '../domain/password.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'

export type Accounts = {
  /** @param email normalised */
  credentialsByEmail(email: string): Promise<Credentials | undefined>
  /** The same for a login from a network, which is an address or has a prefix length. */
  loginCredentials(email: string, network: string): Promise<LoginCredentials | undefined>
  /** The same of the account behind a token; undefined when the token is no good. */
  credentialsOf(bearer: Bearer, network: string): Promise<LoginCredentials | undefined>
  /** Whether an account has verified the number. */
  hasVerifiedPhone(e164: string): Promise<boolean>
  /** What is known of the person whose account it is, by id, by e-mail address or by verified number. */
  personOf(account: { id: number } | { email: string } | { phone: string }): Promise<PersonalDetails>
  /** Replaces the hash of a password by another one of the same password, unless it changed meanwhile. */
  renewHash(account: Credentials, passwordHash: string): Promise<void>
}

const CREDENTIALS = { id: true, email: true, passwordHash: true, status: true } as const

/** Sessions stay for longer than that, also those that have ended. `$2` is the network. */
const LOGIN_CREDENTIALS = `
  SELECT a.id, a.email, a.password_hash AS "passwordHash", a.status, EXISTS (
    SELECT 1 FROM sessions s WHERE s.account_id = a.id AND s.address::inet <<= $2::inet
      AND s.created_at > ${NOW} - interval '${LIMITS.login.known_network_days} days') AS "isKnownNetwork"
  FROM accounts a`
const BY_EMAIL = `${LOGIN_CREDENTIALS} WHERE a.email = $3`
const BY_BEARER = `${LOGIN_CREDENTIALS}
  WHERE a.id = $3 AND a.status = 'active'
    AND EXISTS (SELECT 1 FROM sessions WHERE id = $4 AND account_id = a.id AND ended_at IS NULL)`

export function accounts({ prisma, pool }: Database, clock: Clock): Accounts {
  const queryOne = async (name: string, text: string, ...values: unknown[]): Promise<LoginCredentials | undefined> =>
    (await pool.query<LoginCredentials>({ name, text, values: [clock.shiftMs() / 1000, ...values] })).rows[0]
  return {
    async credentialsByEmail(email) {
      return (await prisma.account.findUnique({ where: { email }, select: CREDENTIALS })) ?? undefined
    },
    loginCredentials: (email, network) => queryOne('login-credentials', BY_EMAIL, network, email),
    credentialsOf: ({ accountId, sessionId }, network) =>
      queryOne('bearer-credentials', BY_BEARER, network, accountId, sessionId),
    async hasVerifiedPhone(phone) {
      const where = { phone, phoneVerifiedAt: { not: null } }
      return (await prisma.account.findFirst({ where, select: { id: true } })) !== null
    },
    async personOf(by) {
      const where = 'phone' in by ? { ...by, phoneVerifiedAt: { not: null } } : by
      const select = { email: true, phone: true, profile: { select: { name: true } } } as const
      const found = await prisma.account.findFirst({ where, select })
      return found ? { email: found.email, phone: found.phone, name: found.profile?.name } : {}
    },
    async renewHash({ id, passwordHash: old }, passwordHash) {
      await prisma.account.updateMany({ where: { id, passwordHash: old }, data: { passwordHash } })
    },
  }
}
