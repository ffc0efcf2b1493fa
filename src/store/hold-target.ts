import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { AccountState, Actor } from '../domain/administration.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import { requireRecent } from '../domain/recent-authentication.ts'
import { AUTHENTICATION_AGE } from './authentication-age.ts'

export type Target = { id: number; status: AccountState['status']; isAdmin: boolean }
/** The age is null where the session of the actor is not one of the account, or has ended. */
type Held = Target & { authenticationAgeSeconds: number | null }

const HOLD = `
  SELECT a.id, a.status, a.is_admin AS "isAdmin", CASE WHEN a.status = 'active' THEN (
    SELECT ${AUTHENTICATION_AGE} FROM sessions s WHERE s.id = $3::uuid AND s.account_id = a.id AND s.ended_at IS NULL
  ) END AS "authenticationAgeSeconds"
  FROM accounts a WHERE a.id IN ($1, $2) ORDER BY a.id FOR NO KEY UPDATE`

const HOLD_ADMINISTRATOR = `
  SELECT a.is_admin AS "isAdmin", ${AUTHENTICATION_AGE}
  FROM accounts a JOIN sessions s ON s.account_id = a.id
  WHERE a.id = $1 AND a.status = 'active' AND s.id = $2::uuid AND s.ended_at IS NULL
  FOR SHARE OF a`

/**
 * Holds the account and that of the actor until the end of the transaction, in the order of their ids, so that of two
 * administrators who suspend each other one is too late.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required` or `reauthentication_required`, 404 `user_unknown`, 422 on `user_id` for the actor's own
 */
export async function holdTarget(
  transaction: Prisma.TransactionClient,
  accountId: number,
  actor: Actor,
): Promise<Target> {
  const bearer = actor === 'command line' ? undefined : actor
  const values = [accountId, bearer?.accountId ?? accountId, bearer?.sessionId ?? null]
  const rows = await transaction.$queryRawUnsafe<Held[]>(HOLD, ...values)
  if (bearer) {
    const asking = rows.find(({ id }) => id === bearer.accountId)
    if (typeof asking?.authenticationAgeSeconds !== 'number') throw new Failure('token_revoked')
    if (!asking.isAdmin) throw new Failure('admin_required')
    requireRecent(bearer.recent, { authenticationAgeSeconds: asking.authenticationAgeSeconds })
    if (bearer.accountId === accountId) throw invalidData({ user_id: ['own_account'] })
  }
  const target = rows.find(({ id }) => id === accountId)
  if (!target) throw new Failure('user_unknown')
  return target
}

/**
 * Holds the account of an administrator until the end of the transaction, so that the privileges stay meanwhile.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required` or `reauthentication_required`
 */
export async function holdAdministrator(
  transaction: Prisma.TransactionClient,
  { accountId, sessionId, recent }: Bearer,
): Promise<void> {
  const [account] = await transaction.$queryRawUnsafe<{ isAdmin: boolean; authenticationAgeSeconds: number }[]>(
    HOLD_ADMINISTRATOR,
    accountId,
    sessionId,
  )
  if (!account) throw new Failure('token_revoked')
  if (!account.isAdmin) throw new Failure('admin_required')
  requireRecent(recent, account)
}
