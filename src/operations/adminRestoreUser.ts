import type { Operation } from '../contract.ts'
import { deedOf, stateOf } from './shared/account-state.ts'
import { administratorOf } from './shared/administrator.ts'

export const adminRestoreUser: Operation<'adminRestoreUser'> = async (call, { store }) => {
  await administratorOf(call, { store })

  const account = await store.administration.restore(deedOf(call))

  return call.reply({ account: stateOf(account) })
}
