import type { Context } from '../../context.ts'
import type { Account, Bearer } from '../../domain/account.ts'
import { Failure } from '../../domain/failure.ts'

/** The administrator behind a token. */
export async function administratorOf(bearer: Bearer, { store }: Pick<Context, 'store'>): Promise<Account> {
  const account = await store.bearers.account(bearer)
  if (!account) throw new Failure('token_revoked')
  if (!account.isAdmin) throw new Failure('admin_required')
  return account
}
