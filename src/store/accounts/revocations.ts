import type { Prisma } from '../../../generated/prisma/client.ts'

/** Revokes all sessions of an account except one. */
export async function revokeSessions(
  transaction: Prisma.TransactionClient,
  accountId: number,
  except: string | null = null,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE sessions SET ended_at = now()
    WHERE account_id = ${accountId} AND ended_at IS NULL AND id IS DISTINCT FROM ${except}::uuid`
}

export async function revokeSession(transaction: Prisma.TransactionClient, sessionId: string): Promise<void> {
  await transaction.$executeRaw`UPDATE sessions SET ended_at = now() WHERE id = ${sessionId}::uuid`
}

/** Requires the next sensitive request of a session to authenticate again, because the password was replaced. */
export async function clearRecentAuthentication(
  transaction: Prisma.TransactionClient,
  sessionId: string,
): Promise<void> {
  await transaction.$executeRaw`UPDATE sessions SET authenticated_at = 'epoch' WHERE id = ${sessionId}::uuid`
}

/** Invalidates all tokens and codes that can reset the password, because they were sent before the account changed. */
export async function invalidateRecovery(transaction: Prisma.TransactionClient, accountId: number): Promise<void> {
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
