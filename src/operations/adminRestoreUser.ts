import type { Operation } from '../contract.ts'
import { deedOf, stateOf } from './shared/account-state.ts'

export const adminRestoreUser: Operation<'adminRestoreUser'> = async (call, { store }) => {
  const account = await store.administration.restore(deedOf(call))

  return call.reply({ account: stateOf(account) })
}
