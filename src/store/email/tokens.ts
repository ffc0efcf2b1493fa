import type { EmailTokenPurpose, Prisma } from '../../../generated/prisma/client.ts'
import { select, table } from '../../database/columns.ts'
import { NOW } from '../../database/now.ts'
import { query, queryRow } from '../../database/query.ts'

type Transaction = Prisma.TransactionClient

export type EmailToken = Readonly<{
  purpose: EmailTokenPurpose
  email: string
  verifiedAt: Date | null
  expiresAt: Date
}>

const t = table('EmailToken', 't')

const USE = query(
  select<EmailToken>({ purpose: t.purpose, email: t.email, verifiedAt: t.verifiedAt, expiresAt: t.expiresAt }),
  (list) => `
    DELETE FROM email_tokens t
    WHERE t.token_hash = $2 AND t.account_id = $3 AND t.purpose = ANY ($4::"EmailTokenPurpose"[]) AND t.expires_at > ${NOW}
    RETURNING ${list}`,
)

type Use = {
  tokenHash: Uint8Array<ArrayBuffer>
  accountId: number
  purposes: EmailTokenPurpose[]
  shiftSeconds: number
}

/** Deletes a token and returns it. Of concurrent requests with the same token, only one succeeds. */
export async function useEmailToken(
  transaction: Transaction,
  { tokenHash, accountId, purposes, shiftSeconds }: Use,
): Promise<EmailToken | undefined> {
  return queryRow(transaction, USE, shiftSeconds, tokenHash, accountId, purposes)
}

/** Invalidates the tokens and the code that were sent to verify an address of an account. */
export async function invalidateVerification(transaction: Transaction, accountId: number): Promise<void> {
  await transaction.$executeRaw`
    WITH tokens AS (DELETE FROM email_tokens WHERE account_id = ${accountId} AND purpose = 'verify')
    UPDATE email_codes SET window_id = NULL WHERE account_id = ${accountId}`
}
