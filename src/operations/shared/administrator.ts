import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import type { Account, Bearer } from '../../domain/account.ts'
import { Failure } from '../../domain/failure.ts'
import { requireRecent } from '../../domain/recent-authentication.ts'
import { traceOf } from '../../domain/trace.ts'

/**
 * The administrator who asks. Somebody else is recorded.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required` or `reauthentication_required`
 */
export async function administratorOf(
  { bearer, client }: { bearer: Bearer; client: Client },
  { store }: Pick<Context, 'store'>,
): Promise<Account> {
  const account = await store.bearers.account(bearer)
  if (!account) throw new Failure('token_revoked')
  if (account.isAdmin) {
    requireRecent(bearer.recent, account) // the body may have taken long to arrive
    return account
  }
  const { id: accountId } = account
  const about = { ...traceOf(client), accountId }
  return store.audit.recordRefusal(new Failure('admin_required'), EVENTS, String(accountId), about)
}

const EVENTS = { admin_required: 'admin_refused' } as const
