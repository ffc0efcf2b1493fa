import type { Prisma } from '../../../generated/prisma/client.ts'
import { column, select, table } from '../../database/columns.ts'
import { NOW } from '../../database/now.ts'
import { query, queryRow } from '../../database/query.ts'
import type { AccountStatus } from '../../domain/accounts/administration.ts'
import { LOCKED_ACCOUNT, type LockedAccount } from './lock-account.ts'

/** An account that is locked for a request without one of its sessions */
export type LockedAccountState = LockedAccount &
  Readonly<{ status: AccountStatus; emailChangedAt: Date | null; createdAt: Date; now: Date }>

const a = table('Account', 'a')

const ACCOUNT = select<LockedAccountState>({
  ...LOCKED_ACCOUNT,
  status: a.status,
  emailChangedAt: a.emailChangedAt,
  createdAt: a.createdAt,
  now: column(NOW),
})
const BY_ID = query(ACCOUNT, (list) => `SELECT ${list} FROM accounts a WHERE a.id = $2 FOR UPDATE OF a`)
const BY_TOKEN = query(
  ACCOUNT,
  (list) => `
    SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
    WHERE t.token_hash = $2 FOR UPDATE OF a`,
)

/**
 * Locks an account by its id, or by the hash of a token that was sent by e-mail. Every change locks the account first,
 * before its other rows, so that concurrent changes cannot deadlock.
 */
export async function findAccountForUpdate(
  transaction: Prisma.TransactionClient,
  by: number | Uint8Array<ArrayBuffer>,
  shiftSeconds: number,
): Promise<LockedAccountState | undefined> {
  return queryRow(transaction, typeof by === 'number' ? BY_ID : BY_TOKEN, shiftSeconds, by)
}

/** Returns whether the e-mail address is verified, and not suspended from recovery by a reset through the number. */
export function isEmailProven({ emailVerifiedAt, emailRecoversFrom }: LockedAccount): boolean {
  return emailVerifiedAt !== null && emailRecoversFrom !== null
}
