import { pick, query, queryRow, queryRows, table } from '../../database/sql.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { AccountState, Actor } from '../../domain/accounts/administration.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { requireFactor, type FactorState } from '../../domain/factors/required-factor.ts'
import { requireRecent, type SessionAge } from '../../domain/sessions/recent-authentication.ts'
import type { Change } from '../changes.ts'
import { FACTORS_RESET_AT, HAS_VOUCHED_FACTOR } from '../factors/state.ts'
import { AUTHENTICATION_AGE, IS_ACTIVE } from '../sessions/state.ts'

export type Target = FactorState & {
  id: number
  status: AccountState['status']
  isAdmin: boolean
  /** When a pending reset ends the second factors; null if none is pending */
  factorsResetAt: Date | null
}
/** The age is null if the account does not have the actor's session, or if the session has ended. */
type LockedRow = Target & { authenticationAgeSeconds: number | null }

const a = table('Account', 'a')

/**
 * Locks the accounts, and the session after the account of its actor. Without a lock, the statement would not see that the
 * session has ended while it waited for the account.
 */
const LOCK = query<LockedRow>(
  {
    ...pick(a, 'id', 'status', 'isAdmin'),
    hasFactor: HAS_VOUCHED_FACTOR,
    factorsResetAt: FACTORS_RESET_AT,
    ...AUTHENTICATION_AGE,
  },
  (list) => `
    SELECT ${list} FROM (SELECT * FROM accounts WHERE id IN ($1, $2) ORDER BY id FOR NO KEY UPDATE) a
    LEFT JOIN LATERAL (
      SELECT * FROM sessions s WHERE s.id = $3::uuid AND s.account_id = a.id AND ${IS_ACTIVE} FOR SHARE) s ON true`,
  'lock-target',
)

const LOCK_ADMINISTRATOR = query<{ isAdmin: boolean } & FactorState & SessionAge>(
  { isAdmin: a.isAdmin, hasFactor: HAS_VOUCHED_FACTOR, ...AUTHENTICATION_AGE },
  (list) => `
    SELECT ${list} FROM accounts a JOIN sessions s ON s.account_id = a.id
    WHERE a.id = $1 AND s.id = $2::uuid AND ${IS_ACTIVE}
    FOR SHARE OF a, s`,
  'lock-administrator',
)

/**
 * Locks an account and the actor's account until the end of the transaction, and authorizes the actor. Locks in the order of the
 * ids, so that of two administrators who suspend each other, one is rejected.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required`, `mfa_enrollment_required` or `reauthentication_required`, 404
 * `user_unknown`, 422 on `user_id` for the actor's own account
 */
export async function lockAndAuthorizeTarget(
  { transaction }: Change,
  { accountId, actor }: { accountId: number; actor: Actor },
): Promise<Target> {
  const bearer = actor === 'command line' ? undefined : actor
  const values = [accountId, bearer?.accountId ?? accountId, bearer?.sessionId ?? null]
  const rows = await queryRows(transaction, LOCK, ...values)
  if (bearer) {
    const asking = rows.find(({ id }) => id === bearer.accountId)
    if (typeof asking?.authenticationAgeSeconds !== 'number') throw new Failure('token_revoked')
    if (!asking.isAdmin) throw new Failure('admin_required')
    requireFactor(bearer.needsFactor === true, asking)
    requireRecent(bearer.recent, { authenticationAgeSeconds: asking.authenticationAgeSeconds })
    if (bearer.accountId === accountId) throw invalidData({ user_id: ['own_account'] })
  }
  const target = rows.find(({ id }) => id === accountId)
  if (!target) throw new Failure('user_unknown')
  return target
}

/**
 * Locks the account of an administrator until the end of the transaction, so that the privileges cannot be revoked
 * concurrently.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required`, `mfa_enrollment_required` or `reauthentication_required`
 */
export async function lockAndAuthorizeAdministrator(
  { transaction }: Change,
  { accountId, sessionId, recent, needsFactor = false }: Bearer,
): Promise<void> {
  const account = await queryRow(transaction, LOCK_ADMINISTRATOR, accountId, sessionId)
  if (!account) throw new Failure('token_revoked')
  if (!account.isAdmin) throw new Failure('admin_required')
  requireFactor(needsFactor, account)
  requireRecent(recent, account)
}
