import type { Operation } from '../../contract/operation.ts'

export const checkAdmin: Operation<'checkAdmin'> = async ({ bearer, reply }, { store }) => {
  const account = await store.bearerAccounts.account(bearer)

  return reply({ is_admin: account.isAdmin })
}
