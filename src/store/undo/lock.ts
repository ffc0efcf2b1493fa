import type { EmailToken as EmailTokenRow } from '../../../generated/prisma/client.ts'
import { column, outerTable, query, queryRow, table } from '../../database/sql.ts'
import { LOCKED_STATE, type LockedAccountState } from '../accounts/lock-account.ts'
import type { Change } from '../changes.ts'

/** What a proof undoes: the account as it was before the first change that the proof covers, and now. The account is locked. */
export type Undoable = Readonly<{
  account: LockedAccountState
  by: 'email' | 'phone'
  /** Whether the proof only cancels a pending change of the address */
  cancels: boolean
  /** Whether the password was reset by phone since */
  undoesReset: boolean
  before: Before
  expiresAt: Date
}>

export type Before = Readonly<
  Pick<EmailTokenRow, 'phone' | 'phoneCode' | 'phoneVerifiedAt' | 'factors' | 'totpSecret'>
> &
  Readonly<{ email: string; emailVerifiedAt: Date | null; emailByLink: boolean }>

const f = table('EmailToken', 'f')
const n = outerTable('EmailToken', 'n')
const s = outerTable('EmailToken', 's')

/**
 * A proof covers what all others of the same identifier cover: `f` is the first of them. Those of 0.2.0 have no number and no factors, and
 * those of a pending reset of the factors have none: `n` and `s` are the first ones with them.
 */
const IS_SAME = `e.account_id = t.account_id AND e.expires_at > service_now() AND CASE t.purpose
  WHEN 'undo_by_phone' THEN e.purpose = 'undo_by_phone' AND e.phone = t.phone
  ELSE e.purpose IN ('cancel', 'undo', 'undo_reset') AND e.email = t.email END`

/** Whether the proof `e` restores an address that the account had verified with a session */
export const RESTORES = `e.verified_at IS NOT NULL AND e.by_link IS NOT TRUE AND e.expires_at > service_now()
  AND e.purpose IN ('undo', 'undo_reset', 'undo_by_phone')`

const first = (condition: string): string =>
  `SELECT * FROM email_tokens e WHERE ${IS_SAME} AND ${condition} ORDER BY e.expires_at LIMIT 1`

const LOCK = query(
  {
    ...LOCKED_STATE,
    purpose: table('EmailToken', 't').purpose,
    sentTo: f.email,
    verifiedAt: f.verifiedAt,
    byLink: f.byLink,
    numberBefore: n.phone,
    codeBefore: n.phoneCode,
    numberVerifiedAt: n.phoneVerifiedAt,
    factors: s.factors,
    totpSecret: s.totpSecret,
    expiresAt: f.expiresAt,
    undoesReset: column<boolean>(`EXISTS (SELECT FROM email_tokens e WHERE ${IS_SAME} AND e.purpose = 'undo_reset')`),
  },
  (list) => `
    SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
    CROSS JOIN LATERAL (${first('true')}) f
    LEFT JOIN LATERAL (${first('e.phone IS NOT NULL')}) n ON true
    LEFT JOIN LATERAL (${first('e.factors IS NOT NULL')}) s ON true
    WHERE t.token_hash = ANY ($1::bytea[]) AND t.expires_at > service_now()
      AND t.purpose = ANY (CASE WHEN $2 THEN '{undo_by_phone}' ELSE '{cancel,undo,undo_reset}' END::"EmailTokenPurpose"[])
    FOR UPDATE OF a, t`,
  'lock-by-undo',
)

/**
 * Locks the account of a proof, of which one of the hashes is stored, and the proof. Of concurrent requests with the same one, only the
 * first finds it.
 */
export async function lockUndoable(
  { transaction }: Change,
  hashes: readonly Uint8Array<ArrayBuffer>[],
  by: Undoable['by'],
): Promise<Undoable | undefined> {
  const row = await queryRow(transaction, LOCK, hashes, by === 'phone')
  if (!row) return undefined
  const { purpose, undoesReset, expiresAt, ...others } = row
  const {
    sentTo: email,
    verifiedAt,
    byLink,
    numberBefore,
    codeBefore,
    numberVerifiedAt,
    factors,
    totpSecret,
    ...account
  } = others
  const address = { email, emailVerifiedAt: verifiedAt, emailByLink: byLink ?? false }
  const number = { phone: numberBefore, phoneCode: codeBefore, phoneVerifiedAt: numberVerifiedAt }
  return {
    account,
    by,
    cancels: purpose === 'cancel',
    undoesReset,
    before: { ...address, ...number, factors, totpSecret },
    expiresAt,
  }
}
