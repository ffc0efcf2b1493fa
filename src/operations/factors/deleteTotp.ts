import type { Operation } from '../../contract/operation.ts'
import { announceFactorChange, toFactorRecords } from '../../services/factors/notify.ts'

export const deleteTotp: Operation<'deleteTotp'> = async (call, context) => {
  const { bearer, reply } = call
  const owner = await context.store.factors.deleteTotp(bearer, toFactorRecords('totp_removed', call, context))
  if (owner) announceFactorChange(owner, call, context)

  return reply(null)
}
