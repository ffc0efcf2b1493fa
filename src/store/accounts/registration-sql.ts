import type { Account, LawyerProfile } from '../../../generated/prisma/client.ts'
import { select, snakeCase, table } from '../../database/columns.ts'
import { NOW, query, type Query } from '../../database/query.ts'
import type { AccountType } from '../../domain/accounts/account.ts'
import type { Names } from '../../domain/profiles/profile.ts'
import { auditInsertForEach } from '../audit/index.ts'
import { mailInsertFrom } from '../mails/rows.ts'
import { useWindowSql } from '../phone-verifications.ts'
import type { WrittenRow } from '../profiles/write-profile.ts'
import { SESSION_COLUMNS, SESSION_VALUES } from '../sessions/sql.ts'

type AccountFields = { email: string; passwordHash: string; phone: string; phoneCode: string; accountType: AccountType }

/** The parameter of each column of the account, and of a lawyer's names. A column without one does not compile. */
const ACCOUNT: Record<keyof WrittenRow<AccountFields, Account>, string> = {
  email: '$2',
  passwordHash: '$5',
  phone: '$6',
  phoneCode: '$7',
  accountType: '$8::"AccountType"',
}
const NAMES: Record<keyof WrittenRow<Names, LawyerProfile>, string> = {
  firstName: '$12::text',
  secondName: '$13',
  thirdName: '$14',
  fourthName: '$15',
}
const columnsOf = (parameters: object): string => Object.keys(parameters).map(snakeCase).join(', ')
const valuesOf = (parameters: Record<string, string>): string => Object.values(parameters).join(', ')

const s = table('Session', 's')

type Registered = { accountId: number; sessionId: string }

/** The parameters that are no columns: whether the number is verified, the verification that proved it, the full name */
const [IS_VERIFIED, WINDOW_ID, NAME] = ['$9', '$10', '$11'] as const

/**
 * Creates an account with its profile and its first session, and uses the verification `$10`. Returns no row if another request
 * has used the verification. `$1`, `$3` and `$4` are those of the session, `$16` are the events as JSON without the id of the
 * account, `$17` is whether a webhook receives them, `$18` their trace, `$19` are the e-mails, and `$20` to `$23` are those of
 * the audit event.
 *
 * A verified number recovers the account at once, and no longer recovers another one.
 */
const registering = (name: string, { first = '', condition = '', last = '' } = {}): Query<Registered> =>
  query(
    select<Registered>({ accountId: s.accountId, sessionId: s.id }),
    (list) => `
    WITH ${first} used AS (${useWindowSql('$6', WINDOW_ID)} ${condition} RETURNING 1),
    account AS (
      INSERT INTO accounts (${columnsOf(ACCOUNT)}, phone_verified_at, phone_recovers_from)
      SELECT ${valuesOf(ACCOUNT)}, CASE WHEN ${IS_VERIFIED} THEN now() END, CASE WHEN ${IS_VERIFIED} THEN now() END
      WHERE (${WINDOW_ID} IS NULL OR EXISTS (SELECT 1 FROM used)) ${condition}
      RETURNING id),
    outdated AS (DELETE FROM former_phones WHERE phone = $6 AND ${IS_VERIFIED} AND EXISTS (SELECT 1 FROM account)),
    profile AS (INSERT INTO profiles (account_id, name) SELECT id, ${NAME} FROM account),
    lawyer AS (
      INSERT INTO lawyer_profiles (account_id, ${columnsOf(NAMES)})
      SELECT id, ${valuesOf(NAMES)} FROM account WHERE ${NAMES.firstName} IS NOT NULL),
    events AS (
      INSERT INTO events (type, account_id, data, next_attempt_at, trace_parent)
      SELECT e->>'type', id, e->'data' || jsonb_build_object('account_id', id), CASE WHEN $17 THEN now() END, $18::text
      FROM account, jsonb_array_elements($16::jsonb) AS e),
    mails AS (${mailInsertFrom('account', '$19', 'id')}),
    audit AS (${auditInsertForEach(20, { accountId: 'id', from: 'account' })}),
    s AS (INSERT INTO sessions ${SESSION_COLUMNS} SELECT id, ${SESSION_VALUES} FROM account RETURNING *)
    ${last}
    SELECT ${list} FROM s`,
    name,
  )
export const REGISTER = registering('register')

/**
 * Also stores the session as the outcome of the request with the Idempotency-Key `$24` and the claim `$25`. Returns no row if
 * another request has taken the key over.
 */
export const REGISTER_ONCE = registering('register-once', {
  first: `claimed AS (
      SELECT 1 FROM idempotency_keys WHERE id = $24 AND claim = $25::uuid AND finished_at IS NULL FOR UPDATE),`,
  condition: 'AND EXISTS (SELECT 1 FROM claimed)',
  last: `, finished AS (
      UPDATE idempotency_keys k SET finished_at = ${NOW}, session_id = s.id FROM s WHERE k.id = $24 AND k.claim = $25::uuid)`,
})
