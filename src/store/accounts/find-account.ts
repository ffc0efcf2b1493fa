import { column, select, table, type Columns } from '../../database/columns.ts'
import { NOW, query, queryRow, type Driver } from '../../database/query.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { AccountStatus } from '../../domain/accounts/administration.ts'
import { LOCKED_ACCOUNT, type LockedAccount } from './lock-account.ts'

/** An account that is locked for a request that may have none of its sessions */
export type LockedAccountState = LockedAccount &
  Readonly<{ status: AccountStatus; emailChangedAt: Date | null; createdAt: Date; now: Date }>

const a = table('Account', 'a')

/** `$1` is the number of seconds that the service is ahead of the database. */
export const LOCKED_STATE: Columns<LockedAccountState> = {
  ...LOCKED_ACCOUNT,
  status: a.status,
  emailChangedAt: a.emailChangedAt,
  createdAt: a.createdAt,
  now: column(NOW),
}
const BY_ID = query(
  select(LOCKED_STATE),
  (list) => `SELECT ${list} FROM accounts a WHERE a.id = $2 FOR UPDATE OF a`,
  'lock-account',
)

/**
 * Locks an account by its id. Every change locks the account first, before its other rows, so that concurrent changes
 * cannot deadlock.
 */
export async function findAccountForUpdate(
  transaction: Driver,
  accountId: number,
  shiftSeconds: number,
): Promise<LockedAccountState | undefined> {
  return queryRow(transaction, BY_ID, shiftSeconds, accountId)
}

/** Returns whether the e-mail address is verified, and not suspended from recovery by a reset through the number. */
export function isEmailProven({ emailVerifiedAt, emailRecoversFrom }: LockedAccount): boolean {
  return emailVerifiedAt !== null && emailRecoversFrom !== null
}

const LIVE = query(
  select<{ isLive: boolean }>({
    isLive: column(`EXISTS (
      SELECT FROM sessions s JOIN accounts a ON a.id = s.account_id
      WHERE s.id = $1::uuid AND s.ended_at IS NULL AND a.id = $2 AND a.status = 'active')`),
  }),
  (list) => `SELECT ${list}`,
  'is-session-live',
)

/** Returns whether a session is active. Its account must be locked, so that the session cannot end concurrently. */
export async function isLive(transaction: Driver, { accountId, sessionId }: Bearer): Promise<boolean> {
  return (await queryRow(transaction, LIVE, sessionId, accountId))?.isLive === true
}
