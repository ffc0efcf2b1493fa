// The proofs that undo a change, with the state of the account before it. They are stored before the change, in its transaction.
import { LIMITS } from '../../../generated/limits.ts'
import { column, query, queryRows, table, type Query } from '../../database/sql.ts'
import { NOT_OPENED, type NewUndo, type OpenedUndo } from '../../domain/accounts/undo.ts'
import type { Change } from '../changes.ts'
import { HAS_FACTOR } from '../factors/state.ts'
import {
  beforeWaiting,
  FORMER_EMAIL_RECOVERS,
  HAS_FORMER_EMAIL,
  HAS_NUMBER_OR_FACTOR,
  HOLD_PERIOD,
  settledBeside,
  UNDO_PERIOD,
} from '../recovery/identifiers.ts'
import { EMAIL_RECOVERS, PHONE_RECOVERS } from '../recovery/sql.ts'

/** An address that only a link without a session has verified proves less than a number or a factor of the account. */
const EMAIL_UNDOES = `CASE WHEN ${HAS_FORMER_EMAIL} THEN ${FORMER_EMAIL_RECOVERS}
  ELSE a.email_verified_at IS NOT NULL AND ${EMAIL_RECOVERS} AND NOT (a.email_by_link AND ${HAS_NUMBER_OR_FACTOR}) END`

/** An address that was verified within the waiting period, or lately and after the number, may be that of a thief. */
const EMAIL_UNDOES_RESET = `${EMAIL_UNDOES} AND ${beforeWaiting('email_verified_at')}
  <= least(${settledBeside('a.phone_verified_at')}, service_now() - ${HOLD_PERIOD})`

/** A code that was sent to the present number a short time ago also undoes what follows, which gets none. */
const HAS_NEW_CODE = `EXISTS (
  SELECT FROM email_tokens e WHERE e.account_id = a.id AND e.purpose = 'undo_by_phone' AND e.phone = a.phone
    AND e.sent_at > service_now() - interval '${LIMITS.undo.code_hours} hours' AND e.expires_at > service_now())`
const PHONE_UNDOES = `${PHONE_RECOVERS} AND NOT ${HAS_NEW_CODE}`

/** Whether the account `a` has factors that an undo can restore: not those that the owner has lost, or support removes */
const IS_RESTORABLE = `${HAS_FACTOR} AND a.factors_reset_at IS NULL`

/** The factors of the account `a`, as rows in JSON */
const FACTORS = `CASE WHEN ${IS_RESTORABLE} THEN jsonb_build_object(
  'account', (SELECT to_jsonb(r) FROM (SELECT a.factors_since, a.factors_vouched) r),
  'second_factors', (SELECT to_jsonb(f) - '{totp_secret,totp_pending}'::text[] FROM second_factors f WHERE f.account_id = a.id),
  'passkeys', ARRAY(SELECT to_jsonb(p) FROM passkeys p WHERE p.account_id = a.id AND p.established_at <= service_now())) END`
const TOTP_SECRET = `CASE WHEN ${IS_RESTORABLE} THEN (SELECT f.totp_secret FROM second_factors f WHERE f.account_id = a.id) END`

type Purpose = 'cancel' | 'undo' | 'undo_reset' | 'undo_by_phone'
type Row = Readonly<{ purpose: Purpose; email: string }>

const t = table('EmailToken', 't')

/**
 * Returns the statement that stores proofs for the account `$1`: the hash `$2` of a token, and `$3` of a code. A token that cancels a
 * pending change of the address also undoes further changes.
 *
 * @param conditions the conditions over the account `a` for each of them
 */
function opening(conditions: Partial<Record<Purpose, string>>): Query<Row> {
  const proofs = Object.entries(conditions).map(
    ([purpose, condition]) => `(${purpose === 'undo_by_phone' ? '$3' : '$2'}::bytea, '${purpose}', ${condition})`,
  )
  return query<Row>(
    { purpose: column('t.purpose'), email: t.email },
    (list) => `
      WITH extended AS (
        UPDATE email_tokens SET purpose = 'undo' WHERE account_id = $1 AND purpose = 'cancel' AND ${'undo' in conditions})
      INSERT INTO email_tokens AS t (token_hash, account_id, purpose, email, verified_at, by_link, phone, phone_code,
        phone_verified_at, factors, totp_secret, expires_at)
      SELECT p.token_hash, a.id, p.purpose::"EmailTokenPurpose", ${(['email', 'email_verified_at', 'email_by_link'] as const).map(beforeWaiting).join(', ')},
        a.phone, a.phone_code, a.phone_verified_at, ${FACTORS}, ${TOTP_SECRET}, service_now() + ${UNDO_PERIOD}
      FROM accounts a, LATERAL (VALUES ${proofs.join(', ')}) p (token_hash, purpose, is_sent)
      WHERE a.id = $1 AND p.is_sent AND ($2::bytea, $3::bytea) IS NOT NULL
      RETURNING ${list}`,
  )
}

const BY_KIND = {
  change: opening({ undo: EMAIL_UNDOES, undo_by_phone: PHONE_UNDOES }),
  pendingEmail: opening({ cancel: EMAIL_UNDOES }),
  /** A reset by phone is not undone by the same number. */
  resetByPhone: opening({ undo_reset: EMAIL_UNDOES_RESET }),
  /** A reset by an address is undone by a number that was verified before it. */
  resetByEmail: opening({
    undo_by_phone: `${PHONE_UNDOES} AND a.phone_verified_at < ${beforeWaiting('email_verified_at')}`,
  }),
} as const

export type UndoKind = keyof typeof BY_KIND

/** Stores the proofs that undo what the transaction is about to change of an account that it has locked. */
export async function openUndo(
  { transaction }: Change,
  account: Readonly<{ accountId: number; phone: string }>,
  { tokenHash, codeHash }: NewUndo,
  kind: UndoKind = 'change',
): Promise<OpenedUndo> {
  const { accountId, phone } = account
  const values = [accountId, tokenHash, codeHash(phone)]
  const rows = await queryRows(transaction, BY_KIND[kind], ...values)
  return rows.reduce<OpenedUndo>(
    (opened, { purpose, email }) =>
      purpose === 'undo_by_phone' ? { ...opened, hasCode: true } : { ...opened, linkTo: email },
    NOT_OPENED,
  )
}
