import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer, Credentials, LoginCredentials } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import { Failure } from '../../domain/failure.ts'
import type { PersonalDetails } from '../../domain/passwords/password.ts'
import { column, select, table } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { NOW } from '../../database/now.ts'
import { query, queryRow } from '../../database/query.ts'

export type Accounts = {
  /** Returns the id and the status of the account with a normalised e-mail address. */
  byEmail(email: string): Promise<Pick<Credentials, 'id' | 'status'> | undefined>
  /**
   * Returns the credentials of the account with an e-mail address, and whether it has recently logged in from the
   * network.
   *
   * @param email normalised
   * @param network an address, or a prefix in CIDR notation
   */
  loginCredentials(email: string, network: string): Promise<LoginCredentials | undefined>
  /**
   * Returns the credentials of the account of a token.
   *
   * @throws Failure 401 `token_revoked`
   */
  bearerCredentials(bearer: Bearer, network: string): Promise<LoginCredentials>
  /** Returns whether the number is the verified number of an account. */
  hasVerifiedPhone(e164: string): Promise<boolean>
  /** Returns the personal details of the owner of an account, which a password must not contain. */
  personalDetails(account: { id: number } | { email: string } | { phone: string }): Promise<PersonalDetails>
  /** Replaces a password hash with a stronger one of the same password, unless the password has changed. */
  renewHash(account: Credentials, passwordHash: string): Promise<void>
}

const a = table('Account', 'a')

/**
 * `$2` is the network; its range is looked up in an index, of which `<<=` alone makes no use in a prepared statement.
 * Sessions are stored for longer than the interval, even after they end.
 */
const LOGIN_CREDENTIALS = select<LoginCredentials>({
  id: a.id,
  email: a.email,
  passwordHash: a.passwordHash,
  status: a.status,
  isKnownNetwork: column(`EXISTS (
    SELECT 1 FROM sessions s WHERE s.account_id = a.id AND s.address::inet <<= $2::inet
      AND s.address::inet BETWEEN network($2::inet)
        AND set_masklen(broadcast($2::inet), CASE family($2::inet) WHEN 4 THEN 32 ELSE 128 END)
      AND s.created_at > ${NOW} - interval '${LIMITS.login.known_network_days} days')`),
})
const BY_EMAIL = query(
  LOGIN_CREDENTIALS,
  (list) => `SELECT ${list} FROM accounts a WHERE a.email = $3`,
  'login-credentials',
)
const BY_BEARER = query(
  LOGIN_CREDENTIALS,
  (list) => `
    SELECT ${list} FROM accounts a WHERE a.id = $3 AND a.status = 'active'
      AND EXISTS (SELECT 1 FROM sessions WHERE id = $4 AND account_id = a.id AND ended_at IS NULL)`,
  'bearer-credentials',
)

export function accounts({ prisma, pool }: Database, clock: Clock): Accounts {
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async byEmail(email) {
      return (await prisma.account.findUnique({ where: { email }, select: { id: true, status: true } })) ?? undefined
    },
    loginCredentials: (email, network) => queryRow(pool, BY_EMAIL, shift(), network, email),
    async bearerCredentials({ accountId, sessionId }, network) {
      const credentials = await queryRow(pool, BY_BEARER, shift(), network, accountId, sessionId)
      if (!credentials) throw new Failure('token_revoked')
      return credentials
    },
    async hasVerifiedPhone(phone) {
      const where = { phone, phoneVerifiedAt: { not: null } }
      return (await prisma.account.findFirst({ where, select: { id: true } })) !== null
    },
    async personalDetails(by) {
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
