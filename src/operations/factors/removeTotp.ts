import type { Operation } from '../../contract/operation.ts'
import { announceFactorChange, toFactorRecords } from '../../services/factors/notify.ts'
import { proveChange } from '../../services/factors/prove-change.ts'

export const removeTotp: Operation<'removeTotp'> = async (call, context) => {
  const { bearer, reply } = call
  const given = await proveChange(call, context)
  const records = { given, ...toFactorRecords('totp_removed', call, context) }
  const owner = await context.store.factors.deleteTotp(bearer, records)
  if (owner) announceFactorChange(owner, call, context)

  return reply(null)
}
