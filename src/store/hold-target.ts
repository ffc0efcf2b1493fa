import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { AccountState, Actor } from '../domain/administration.ts'
import { Failure, invalidData } from '../domain/failure.ts'

export type Target = { id: number; status: AccountState['status']; isAdmin: boolean }
type Held = Target & { asks: boolean }

/**
 * Holds the account and that of the actor until the end of the transaction, in the order of their ids, so that of two
 * administrators who suspend each other one is too late.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required`, 404 `user_unknown`, 422 on `user_id` for the actor's own
 */
export async function holdTarget(
  transaction: Prisma.TransactionClient,
  accountId: number,
  actor: Actor,
): Promise<Target> {
  const bearer = actor === 'command line' ? undefined : actor
  const rows = await transaction.$queryRaw<Held[]>`
    SELECT a.id, a.status, a.is_admin AS "isAdmin", a.status = 'active' AND EXISTS (
      SELECT FROM sessions s WHERE s.id = ${bearer?.sessionId ?? null}::uuid AND s.account_id = a.id AND s.ended_at IS NULL
    ) AS asks
    FROM accounts a WHERE a.id IN (${accountId}, ${bearer?.accountId ?? accountId}) ORDER BY a.id FOR NO KEY UPDATE`
  if (bearer) {
    const asking = rows.find(({ id }) => id === bearer.accountId)
    if (!asking?.asks) throw new Failure('token_revoked')
    if (!asking.isAdmin) throw new Failure('admin_required')
    if (bearer.accountId === accountId) throw invalidData({ user_id: ['own_account'] })
  }
  const target = rows.find(({ id }) => id === accountId)
  if (!target) throw new Failure('user_unknown')
  return target
}

/**
 * Holds the account of an administrator until the end of the transaction, so that the privileges stay meanwhile.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required`
 */
export async function holdAdministrator(
  transaction: Prisma.TransactionClient,
  { accountId, sessionId }: Bearer,
): Promise<void> {
  const [account] = await transaction.$queryRaw<{ isAdmin: boolean }[]>`
    SELECT a.is_admin AS "isAdmin" FROM accounts a JOIN sessions s ON s.account_id = a.id
    WHERE a.id = ${accountId} AND a.status = 'active' AND s.id = ${sessionId}::uuid AND s.ended_at IS NULL
    FOR SHARE OF a`
  if (!account) throw new Failure('token_revoked')
  if (!account.isAdmin) throw new Failure('admin_required')
}
