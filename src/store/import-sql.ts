import type { Newcomer } from '../domain/import.ts'

/**
 * `$1`: newcomers as JSON. Writes whom nobody stands in the way of, whole, and gives them. The unique indexes decide, and
 * of two newcomers with one address or one verified number the first is taken.
 */
export const ADD = `
  WITH given AS (
    SELECT DISTINCT ON (email, phone) * FROM jsonb_to_recordset($1::jsonb) AS one (
      place int, email text, phone text, phone_code text, phone_verified boolean, email_verified boolean, password_hash text,
      account_type "AccountType", created_at timestamptz, name text,
      first_name text, second_name text, third_name text, fourth_name text
    )
    ORDER BY email, phone, place
  ), new AS (
    INSERT INTO accounts (
      email, phone, phone_code, phone_verified_at, phone_recovers_from, email_verified_at, email_recovers_from,
      password_hash, account_type, created_at)
    SELECT email, phone, phone_code, phone_since, phone_since, email_since, email_since, password_hash, account_type,
      coalesce(created_at, now())
    FROM given, LATERAL (
      SELECT CASE WHEN phone_verified THEN coalesce(created_at, now()) END AS phone_since,
        CASE WHEN email_verified THEN coalesce(created_at, now()) END AS email_since) AS verified
    ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING id, email, phone
  ), added AS (
    SELECT new.id, given.* FROM new JOIN given USING (email, phone)
  ), profile AS (
    INSERT INTO profiles (account_id, name) SELECT id, name FROM added
  ), lawyer AS (
    INSERT INTO lawyer_profiles (account_id, first_name, second_name, third_name, fourth_name)
    SELECT id, first_name, second_name, third_name, fourth_name FROM added WHERE account_type = 'lawyer'
  ), event AS (
    INSERT INTO audit_events (event, account_id, subject) SELECT 'account_imported', id, 'command line' FROM added
  )
  SELECT place FROM added`

/** `$1` and `$2`: which of these addresses belong to accounts, and which of these numbers to accounts that verified them. */
export const TAKEN = `
  SELECT email, CASE WHEN phone_verified_at IS NOT NULL THEN phone END AS phone FROM accounts
  WHERE email = ANY($1) OR phone = ANY($2) AND phone_verified_at IS NOT NULL`

export const STATE = `
  SELECT rows, imported, refused, reasons, report, report_bytes::float8 AS "reportBytes", finished_at AS "finishedAt"
  FROM imports WHERE file_hash = $1`

/** Changes nothing when the import has not come as far as `$8` says, because another process goes on with it. */
export const KEEP_STATE = `
  INSERT INTO imports (file_hash, rows, imported, refused, reasons, report, report_bytes)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (file_hash) DO UPDATE SET
    rows = excluded.rows, imported = excluded.imported, refused = excluded.refused, reasons = excluded.reasons,
    report = excluded.report, report_bytes = excluded.report_bytes
  WHERE imports.rows = $8 AND imports.finished_at IS NULL
  RETURNING rows`

/** Of a file without rows there is no state before. */
export const FINISH = `
  INSERT INTO imports (file_hash, rows, imported, refused, reasons, finished_at) VALUES ($1, 0, 0, 0, '{}', now())
  ON CONFLICT (file_hash) DO UPDATE SET finished_at = now()`

/** The parameter of ADD. */
export function addParameter(newcomers: readonly Newcomer[]): string {
  return JSON.stringify(
    newcomers.map(({ names, ...newcomer }, place) => ({
      place,
      email: newcomer.email,
      phone: newcomer.phone,
      phone_code: newcomer.phoneCode,
      phone_verified: newcomer.phoneVerified,
      email_verified: newcomer.emailVerified,
      password_hash: newcomer.passwordHash,
      account_type: newcomer.accountType,
      created_at: newcomer.createdAt,
      name: newcomer.name,
      first_name: names?.firstName,
      second_name: names?.secondName,
      third_name: names?.thirdName,
      fourth_name: names?.fourthName,
    })),
  )
}
