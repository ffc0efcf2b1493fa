import type { Operation } from '../contract.ts'
import { deedOf, stateOf } from './shared/account-state.ts'

export const adminSuspendUser: Operation<'adminSuspendUser'> = async (call, { store }) => {
  const account = await store.administration.suspend(deedOf(call))

  return call.reply({ account: stateOf(account) })
}
