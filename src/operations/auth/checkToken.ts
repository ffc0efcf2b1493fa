import type { Operation } from '../../contract/operation.ts'

export const checkToken: Operation<'checkToken'> = async ({ bearer, reply }, { store }) => {
  const account = await store.accessState.account(bearer)

  const { id, email, accountType } = account
  return reply({ account: { id, email, account_type: accountType } })
}
