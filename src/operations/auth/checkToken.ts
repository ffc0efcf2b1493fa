import type { Operation } from '../../contract/operation.ts'

export const checkToken: Operation<'checkToken'> = async ({ bearer, reply }, { store }) => {
  const { id, email, accountType } = await store.bearerAccounts.account(bearer)

  return reply({ account: { id, email, account_type: accountType } })
}
