import type { Prisma } from '../../generated/prisma/client.ts'
import { NOW } from './now.ts'
import { LOCKED_ACCOUNT, type LockedAccount } from './own-account.ts'

/** An account that is locked for a request without a session of it. */
export type FoundAccount = LockedAccount &
  Readonly<{ status: 'active' | 'suspended'; emailChangedAt: Date | null; createdAt: Date; now: Date }>

const SELECT = `
  SELECT ${LOCKED_ACCOUNT}, a.email_changed_at AS "emailChangedAt", a.created_at AS "createdAt", a.status, ${NOW} AS now
  FROM accounts a`

const BY_ID = `${SELECT} WHERE a.id = $2 FOR UPDATE OF a`
const BY_TOKEN = `${SELECT} JOIN email_tokens t ON t.account_id = a.id WHERE t.token_hash = $2 FOR UPDATE OF a`

/**
 * Locks an account before anything that belongs to it, as every change of an account does, so that two of them never wait
 * for each other.
 *
 * @param by its id, or the hash of a token of an e-mail
 */
export async function findAndHold(
  transaction: Prisma.TransactionClient,
  by: number | Uint8Array<ArrayBuffer>,
  shiftSeconds: number,
): Promise<FoundAccount | undefined> {
  const query = typeof by === 'number' ? BY_ID : BY_TOKEN
  const [account] = await transaction.$queryRawUnsafe<FoundAccount[]>(query, shiftSeconds, by)
  return account
}

/** An address that was suspended from recovery, by a reset through the phone number, has to be proven again. */
export function isProven({ emailVerifiedAt, emailRecoversFrom }: LockedAccount): boolean {
  return emailVerifiedAt !== null && emailRecoversFrom !== null
}
