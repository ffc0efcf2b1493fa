import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { Contact } from '../domain/contact.ts'
import { Failure } from '../domain/failure.ts'
import { requireRecent, type SessionAge } from '../domain/recent-authentication.ts'
import { AUTHENTICATION_AGE } from './authentication-age.ts'

/** An account whose row is locked until the end of the transaction */
export type LockedAccount = Contact &
  Readonly<{
    emailVerifiedAt: Date | null
    emailRecoversFrom: Date | null
    pendingEmail: string | null
    deletionDueAt: Date | null
  }>

/** The same, for a request with a session of it */
export type HeldAccount = LockedAccount & SessionAge & Readonly<{ passwordHash: string }>

/** Selects the members of a LockedAccount from the account `a`. */
export const LOCKED_ACCOUNT = `a.id AS "accountId", a.email, a.phone, a.phone_code AS "phoneCode",
  a.phone_verified_at IS NOT NULL AS "phoneVerified", a.email_verified_at AS "emailVerifiedAt",
  a.email_recovers_from AS "emailRecoversFrom", a.pending_email AS "pendingEmail", a.deletion_due_at AS "deletionDueAt"`

/** Locks the session too: a statement that waits for the lock of the account sees only then that the session has ended. */
const HOLD = `
  SELECT ${LOCKED_ACCOUNT}, a.password_hash AS "passwordHash", ${AUTHENTICATION_AGE}
  FROM accounts a JOIN sessions s ON s.account_id = a.id
  WHERE a.id = $1 AND a.status = 'active' AND s.id = $2::uuid AND s.ended_at IS NULL
  FOR UPDATE OF a, s`

/**
 * Holds the account behind a token until the end of the transaction, if its owner may still change it.
 *
 * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile, 403
 * `reauthentication_required`
 */
export async function holdAccount(
  transaction: Prisma.TransactionClient,
  { accountId, sessionId, recent }: Bearer,
): Promise<HeldAccount> {
  const [account] = await transaction.$queryRawUnsafe<HeldAccount[]>(HOLD, accountId, sessionId)
  if (!account) throw new Failure('token_revoked')
  requireRecent(recent, account)
  return account
}

/** Ends the sessions of an account, but for one. */
export async function endSessions(
  transaction: Prisma.TransactionClient,
  accountId: number,
  but: string | null = null,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE sessions SET ended_at = now()
    WHERE account_id = ${accountId} AND ended_at IS NULL AND id IS DISTINCT FROM ${but}::uuid`
}

export async function endSession(transaction: Prisma.TransactionClient, sessionId: string): Promise<void> {
  await transaction.$executeRaw`UPDATE sessions SET ended_at = now() WHERE id = ${sessionId}::uuid`
}

/** Ends the recent authentication of a session: its password has been replaced. */
export async function endRecentAuthentication(transaction: Prisma.TransactionClient, sessionId: string): Promise<void> {
  await transaction.$executeRaw`UPDATE sessions SET authenticated_at = 'epoch' WHERE id = ${sessionId}::uuid`
}

/** Invalidates the tokens and the codes that could set a new password, as they were sent before the account changed. */
export async function endRecovery(transaction: Prisma.TransactionClient, accountId: number): Promise<void> {
  await transaction.$executeRaw`
    WITH tokens AS (DELETE FROM password_resets WHERE account_id = ${accountId}),
    own AS (
      SELECT phone FROM accounts WHERE id = ${accountId} AND phone_verified_at IS NOT NULL
      UNION SELECT phone FROM former_phones WHERE account_id = ${accountId})
    UPDATE phone_verifications SET version = version + 1,
      state = CASE WHEN purpose = 'reset' THEN 'used' ELSE state END,
      other_window = CASE WHEN purpose = 'reset' THEN other_window END
    WHERE phone IN (SELECT phone FROM own) AND (purpose = 'reset' AND state <> 'used' OR other_window->>'purpose' = 'reset')`
}
