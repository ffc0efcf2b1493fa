import { column, narrowed, onlyIf, pick, query, snakeCase, table } from '../../database/sql.ts'
import type { ImportState, ImportedAccount } from '../../domain/import.ts'
import type { Names } from '../../domain/profiles/profile.ts'

const a = table('Account', 'a')
const i = table('Import', 'i')

type Fields = Omit<ImportedAccount, 'names' | 'factors'> & Names & { hasFactors: boolean }
type Field = Readonly<{ type: string; table?: 'accounts' | 'profiles' | 'lawyer_profiles' }>

/**
 * How each field is written: its type in SQL, and the table that has a column of this name. The statement converts the
 * fields without a table itself.
 */
const FIELDS: Readonly<Record<keyof Fields, Field>> = {
  email: { type: 'text', table: 'accounts' },
  phone: { type: 'text', table: 'accounts' },
  phoneCode: { type: 'text', table: 'accounts' },
  phoneVerified: { type: 'boolean' },
  emailVerified: { type: 'boolean' },
  passwordHash: { type: 'text', table: 'accounts' },
  accountType: { type: '"AccountType"', table: 'accounts' },
  createdAt: { type: 'timestamptz' },
  hasFactors: { type: 'boolean' },
  name: { type: 'text', table: 'profiles' },
  firstName: { type: 'text', table: 'lawyer_profiles' },
  secondName: { type: 'text', table: 'lawyer_profiles' },
  thirdName: { type: 'text', table: 'lawyer_profiles' },
  fourthName: { type: 'text', table: 'lawyer_profiles' },
}
const columns = Object.entries(FIELDS).map(([name, field]) => ({ name: snakeCase(name), ...field }))
const DEFINITIONS = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
const columnsFor = (wanted: Field['table']): string =>
  columns.flatMap(({ name, table }) => (table === wanted ? [name] : [])).join(', ')
const ACCOUNT = columnsFor('accounts')
const PROFILE = columnsFor('profiles')
const LAWYER = columnsFor('lawyer_profiles')

/** The id of an added account, and its place in the batch */
export type Added = Readonly<{ place: number; id: number }>

/**
 * Adds accounts with their profiles and returns the added ones; `$1` contains the accounts as JSON. An account whose
 * address or verified number is taken is skipped, as the unique indexes decide. Of two accounts in `$1` with the same
 * address or number, the first is added. Their second factors are added afterwards, because they depend on the ids.
 */
export const ADD = query<Added>(
  { place: column('place'), id: column('id') },
  (list) => `
    WITH given AS (
      SELECT DISTINCT ON (email, phone) * FROM jsonb_to_recordset($1::jsonb) AS one (place int, ${DEFINITIONS})
      ORDER BY email, phone, place
    ), new AS (
      INSERT INTO accounts (
        ${ACCOUNT}, phone_verified_at, phone_recovers_from, email_verified_at, email_recovers_from, factors_since,
        created_at)
      SELECT ${ACCOUNT}, phone_since, phone_since, email_since, email_since, CASE WHEN has_factors THEN now() END,
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
      INSERT INTO profiles (account_id, ${PROFILE}) SELECT id, ${PROFILE} FROM added
    ), lawyer AS (
      INSERT INTO lawyer_profiles (account_id, ${LAWYER}) SELECT id, ${LAWYER} FROM added WHERE account_type = 'lawyer'
    ), event AS (
      INSERT INTO audit_events (event, account_id, subject) SELECT 'account_imported', id, 'command line' FROM added
    )
    SELECT ${list} FROM added`,
)

/** Selects the addresses of `$1` that belong to accounts, and the numbers of `$2` that accounts have verified. */
export const TAKEN = query<{ email: string; phone: string | null }>(
  { email: a.email, phone: onlyIf('a.phone_verified_at IS NOT NULL', a.phone) },
  (list) => `
    SELECT ${list} FROM accounts a
    WHERE a.email = ANY($1) OR a.phone = ANY($2) AND a.phone_verified_at IS NOT NULL`,
)

type StateRow = Omit<ImportState, 'report' | 'finishedAt'> & {
  report: string | null
  reportBytes: number
  finishedAt: Date | null
}

export const STATE = query<StateRow>(
  {
    ...pick(i, 'rows', 'imported', 'refused'),
    reasons: narrowed(i.reasons),
    report: i.report,
    reportBytes: column('i.report_bytes::float8'),
    finishedAt: i.finishedAt,
  },
  (list) => `SELECT ${list} FROM imports i WHERE i.file_hash = $1`,
)

/** Stores the progress. Changes no row if the import is not at row `$8`, because another process has continued it. */
export const WRITE_STATE = `
  INSERT INTO imports (file_hash, rows, imported, refused, reasons, report, report_bytes)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (file_hash) DO UPDATE SET
    rows = excluded.rows, imported = excluded.imported, refused = excluded.refused, reasons = excluded.reasons,
    report = excluded.report, report_bytes = excluded.report_bytes
  WHERE imports.rows = $8 AND imports.finished_at IS NULL`

/** Marks an import as finished. Inserts the row of a file without rows, which has no state yet. */
export const FINISH = `
  INSERT INTO imports (file_hash, rows, imported, refused, reasons, finished_at) VALUES ($1, 0, 0, 0, '{}', now())
  ON CONFLICT (file_hash) DO UPDATE SET finished_at = now()`

/** Serializes the accounts of a batch for the parameter of ADD, without those at the skipped places. */
export function addParameter(accounts: readonly ImportedAccount[], skipped: ReadonlyMap<number, unknown>): string {
  const rows = accounts.flatMap(({ names, factors, ...fields }, place) =>
    skipped.has(place) ? [] : [{ place, ...fields, ...(factors && { hasFactors: true }), ...names }],
  )
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]))),
  )
}
