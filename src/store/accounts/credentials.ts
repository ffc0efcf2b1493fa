import type { Bearer, Credentials, LoginCredentials, OwnCredentials } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import type { PersonalDetails } from '../../domain/passwords/password.ts'
import { column, outerTable, pick, query, queryOnlyRow, queryRow, table, type Columns } from '../../database/sql.ts'
import { FACTORS, JOIN_FACTORS, toSecondFactors, type FactorsRow } from '../factors/columns.ts'
import { HAS_FACTOR } from '../factors/state.ts'
import { beganIn, IS_KNOWN } from '../sessions/begin.ts'
import { IS_ACTIVE } from '../sessions/state.ts'
import type { StoreParts } from '../changes.ts'

export type Accounts = {
  /** Returns the id and the status of the account with a normalised e-mail address. */
  byEmail(email: string): Promise<Pick<Credentials, 'id' | 'status'> | undefined>
  /**
   * Returns the credentials of the account with an e-mail address, and whether it has recently completed a login from the
   * network.
   *
   * @param email normalised
   * @param network an address, or a prefix in CIDR notation
   */
  loginCredentials(email: string, network: string): Promise<LoginCredentials | undefined>
  /**
   * Returns the credentials of the account of a token, and the personal details of its owner.
   *
   * @throws Failure 401 `token_revoked`
   */
  bearerCredentials(bearer: Bearer, network: string): Promise<OwnCredentials>
  /** Returns the personal details of the account that a phone number recovers, which a password must not contain. */
  personalDetails(phone: string): Promise<PersonalDetails>
  /**
   * Replaces a password hash with a stronger one of the same password, unless it has changed. Returns the stored one, which
   * can be that of another login or of another password; undefined if the account was deleted.
   */
  renewHash(account: Credentials, passwordHash: string): Promise<string | undefined>
}

const a = table('Account', 'a')

/** The personal details of the owner of an account, as columns of a statement that also reads the account */
export type OwnerRow = { email: string; ownerPhone: string; ownerName: string | null }

/** Columns over the account `a` and its profile `p`, in an outer join */
export const OWNER: Columns<OwnerRow> = {
  email: a.email,
  ownerPhone: a.phone,
  ownerName: outerTable('Profile', 'p').name,
}

const IS_PROVEN_NETWORK = `CASE WHEN ${HAS_FACTOR} THEN EXISTS (
  SELECT 1 FROM sessions s WHERE s.account_id = a.id AND ${beganIn('$1')} AND s.created_at > a.factors_since) ELSE false END`

type CredentialsRow = Omit<LoginCredentials, 'factors'> & FactorsRow

/** All columns of the account are null if there is none. */
type Found = Omit<CredentialsRow, 'id'> & { id: number | null }

const LOGIN_CREDENTIALS: Columns<CredentialsRow> = {
  ...pick(a, 'id', 'email', 'passwordHash', 'status'),
  isKnownNetwork: column(IS_KNOWN),
  isProvenNetwork: column(IS_PROVEN_NETWORK),
  ...FACTORS,
}
/** Returns a row in any case, so that the time of a login does not reveal whether there is an account. */
const BY_EMAIL = query<Found>(
  { ...LOGIN_CREDENTIALS, id: column('a.id') },
  (list) => `
    SELECT ${list} FROM (SELECT $2::text AS email) wanted LEFT JOIN accounts a ON a.email = wanted.email ${JOIN_FACTORS}`,
  'login-credentials',
)
const BY_BEARER = query<CredentialsRow & OwnerRow>(
  { ...LOGIN_CREDENTIALS, ...OWNER },
  (list) => `
    SELECT ${list} FROM accounts a LEFT JOIN profiles p ON p.account_id = a.id ${JOIN_FACTORS}
    WHERE a.id = $2 AND EXISTS (SELECT FROM sessions s WHERE s.id = $3 AND s.account_id = a.id AND ${IS_ACTIVE})`,
  'bearer-credentials',
)

/** A former number belongs to the account until another one verifies it. */
const BY_PHONE = query<OwnerRow>(
  OWNER,
  (list) => `
    SELECT ${list} FROM accounts a LEFT JOIN profiles p ON p.account_id = a.id
    WHERE a.id = coalesce(
      (SELECT o.id FROM accounts o WHERE o.phone = $1 AND o.phone_verified_at IS NOT NULL),
      (SELECT f.account_id FROM former_phones f WHERE f.phone = $1))`,
  'owner-by-phone',
)

export function accounts({ prisma, pool }: StoreParts): Accounts {
  return {
    async byEmail(email) {
      return (await prisma.account.findUnique({ where: { email }, select: { id: true, status: true } })) ?? undefined
    },
    async loginCredentials(email, network) {
      const { id, ...found } = await queryOnlyRow(pool, BY_EMAIL, network, email)
      return id === null ? undefined : { ...found, id, factors: found.factorsSince && toSecondFactors(found) }
    },
    async bearerCredentials({ accountId, sessionId }, network) {
      const credentials = await queryRow(pool, BY_BEARER, network, accountId, sessionId)
      if (!credentials) throw new Failure('token_revoked')
      return {
        ...credentials,
        factors: credentials.factorsSince && toSecondFactors(credentials),
        owner: toPersonalDetails(credentials),
      }
    },
    async personalDetails(phone) {
      const row = await queryRow(pool, BY_PHONE, phone)
      return row ? toPersonalDetails(row) : {}
    },
    async renewHash({ id, passwordHash: old }, passwordHash) {
      const { count } = await prisma.account.updateMany({ where: { id, passwordHash: old }, data: { passwordHash } })
      if (count > 0) return passwordHash
      return (await prisma.account.findUnique({ where: { id }, select: { passwordHash: true } }))?.passwordHash
    },
  }
}

export function toPersonalDetails({ email, ownerPhone, ownerName }: OwnerRow): PersonalDetails {
  return { email, phone: ownerPhone, name: ownerName ?? undefined }
}
