// Users with a complete profile, stored without a registration.
import type pg from 'pg'

export type Attributes = {
  accountType: 'client' | 'lawyer'
  isAdmin: boolean
  status: 'active' | 'suspended'
  passwordHash: string
  /** Whether the e-mail address and the phone number are verified and can recover the account */
  isEmailVerified: boolean
  isPhoneVerified: boolean
}

type Contacts = { email: string; e164: string }

/** One statement, because most tests store several users: with Prisma, it takes five. */
const STATEMENT = `
  WITH account AS (
    INSERT INTO accounts (created_at, email, phone, phone_code, password_hash, account_type, status, is_admin,
      email_verified_at, email_recovers_from, phone_verified_at, phone_recovers_from)
    SELECT $1::timestamptz, $2, $3, '966', $4, $5::"AccountType", $6::"AccountStatus", $7,
      verified.email_at, verified.email_at, verified.phone_at, verified.phone_at
    FROM (SELECT CASE WHEN $8 THEN $1::timestamptz END AS email_at, CASE WHEN $9 THEN $1::timestamptz END AS phone_at) verified
    RETURNING id
  )
  INSERT INTO profiles (account_id, name, gender, type, longitude, latitude, country_id, region_id, city_id, nationality_id)
  SELECT id, 'سارة العتيبي', 'Female', 1, 46.6753, 24.7136, 682, 1, 1, 682 FROM account
  RETURNING account_id AS id`

/** Stores a user. Returns the id of the account. */
export async function storePerson(
  pool: pg.Pool,
  { email, e164 }: Contacts,
  { passwordHash, accountType, status, isAdmin, isEmailVerified, isPhoneVerified }: Attributes,
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'store-person',
    text: STATEMENT,
    values: [new Date(), email, e164, passwordHash, accountType, status, isAdmin, isEmailVerified, isPhoneVerified],
  })
  if (!rows[0]) throw new Error('the statement returned no row')
  return rows[0].id
}
