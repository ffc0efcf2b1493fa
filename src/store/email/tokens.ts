import type { EmailTokenPurpose } from '../../../generated/prisma/client.ts'
import { select, table } from '../../database/columns.ts'
import { query, queryRow } from '../../database/query.ts'
import { LOCKED_STATE, type LockedAccountState } from '../accounts/lock-account.ts'
import type { Change } from '../changes.ts'

/** A token, and the account that it was sent to. Both are locked. */
export type EmailToken = Readonly<{
  account: LockedAccountState
  purpose: EmailTokenPurpose
  email: string
}>

const t = table('EmailToken', 't')

const LOCK = query(
  select({ ...LOCKED_STATE, purpose: t.purpose, sentTo: t.email }),
  (list) => `
    SELECT ${list} FROM accounts a JOIN email_tokens t ON t.account_id = a.id
    WHERE t.token_hash = $1 AND t.purpose = ANY ($2::"EmailTokenPurpose"[]) AND t.expires_at > service_now()
    FOR UPDATE OF a, t`,
  'lock-by-email-token',
)

/** Locks the account of a token, and the token. Of concurrent requests with the same token, only the first finds it. */
export async function lockByEmailToken(
  { transaction }: Change,
  tokenHash: Uint8Array<ArrayBuffer>,
  purposes: readonly EmailTokenPurpose[],
): Promise<EmailToken | undefined> {
  const row = await queryRow(transaction, LOCK, tokenHash, purposes)
  if (!row) return undefined
  const { purpose, sentTo: email, ...account } = row
  return { account, purpose, email }
}
