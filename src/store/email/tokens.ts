import type { EmailTokenPurpose, Prisma } from '../../../generated/prisma/client.ts'
import { NOW } from '../now.ts'

type Transaction = Prisma.TransactionClient

export type EmailToken = Readonly<{
  purpose: EmailTokenPurpose
  email: string
  verifiedAt: Date | null
  expiresAt: Date
}>

const USE = `
  DELETE FROM email_tokens
  WHERE token_hash = $2 AND account_id = $3 AND purpose = ANY ($4::"EmailTokenPurpose"[]) AND expires_at > ${NOW}
  RETURNING purpose, email, verified_at AS "verifiedAt", expires_at AS "expiresAt"`

type Use = {
  tokenHash: Uint8Array<ArrayBuffer>
  accountId: number
  purposes: EmailTokenPurpose[]
  shiftSeconds: number
}

/** Uses a token up: of many who come with it, one gets it. */
export async function useEmailToken(
  transaction: Transaction,
  { tokenHash, accountId, purposes, shiftSeconds }: Use,
): Promise<EmailToken | undefined> {
  const [token] = await transaction.$queryRawUnsafe<EmailToken[]>(USE, shiftSeconds, tokenHash, accountId, purposes)
  return token
}

/** Invalidates what was sent to verify an address of an account: the tokens and the code. */
export async function endVerification(transaction: Transaction, accountId: number): Promise<void> {
  await transaction.$executeRaw`
    WITH tokens AS (DELETE FROM email_tokens WHERE account_id = ${accountId} AND purpose = 'verify')
    UPDATE email_codes SET window_id = NULL WHERE account_id = ${accountId}`
}
