import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'

type HeldAccount = { email: string; deletionDueAt: Date | null }

/**
 * Holds the account behind a token until the end of the transaction, if its owner may still change it.
 *
 * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile
 */
export async function holdAccount(
  transaction: Prisma.TransactionClient,
  { accountId, sessionId }: Bearer,
): Promise<HeldAccount> {
  const [account] = await transaction.$queryRaw<HeldAccount[]>`
    SELECT a.email, a.deletion_due_at AS "deletionDueAt" FROM accounts a JOIN sessions s ON s.account_id = a.id
    WHERE a.id = ${accountId} AND a.status = 'active' AND s.id = ${sessionId}::uuid AND s.ended_at IS NULL
    FOR UPDATE OF a`
  if (!account) throw new Failure('token_revoked')
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
