import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { Contact } from '../domain/contact.ts'
import { Failure } from '../domain/failure.ts'

/** An account whose row is locked until the end of the transaction */
export type HeldAccount = Contact &
  Readonly<{ emailVerifiedAt: Date | null; pendingEmail: string | null; deletionDueAt: Date | null }>

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
    SELECT a.id AS "accountId", a.email, a.phone, a.phone_code AS "phoneCode", a.phone_verified AS "phoneVerified",
      a.email_verified_at AS "emailVerifiedAt", a.pending_email AS "pendingEmail", a.deletion_due_at AS "deletionDueAt"
    FROM accounts a JOIN sessions s ON s.account_id = a.id
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
    WITH tokens AS (DELETE FROM password_resets WHERE account_id = ${accountId})
    UPDATE phone_verifications SET state = 'used', version = version + 1
    WHERE phone = (SELECT phone FROM accounts WHERE id = ${accountId}) AND state <> 'used'`
}
