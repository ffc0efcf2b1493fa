import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'

export const checkToken: Operation<'checkToken'> = async ({ bearer, reply }, { store }) => {
  const account = await store.bearers.account(bearer)
  if (!account) throw new Failure('token_revoked')

  const { id, email, accountType } = account
  return reply({ account: { id, email, account_type: accountType } })
}
