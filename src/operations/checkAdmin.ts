import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'

export const checkAdmin: Operation<'checkAdmin'> = async ({ bearer, reply }, { store }) => {
  const account = await store.bearers.account(bearer)
  if (!account) throw new Failure('token_revoked')

  return reply({ is_admin: account.isAdmin })
}
