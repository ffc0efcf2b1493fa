import type { Operation } from '../../contract/operation.ts'
import { announceFactorChange, toUndoableRecords } from '../../services/factors/notify.ts'
import { proveChange } from '../../services/factors/prove-change.ts'

export const removeTotp: Operation<'removeTotp'> = async (call, context) => {
  const { bearer, reply } = call
  const given = await proveChange(call, context)
  const records = { given, ...toUndoableRecords('totp_removed', call, context) }
  const removed = await context.store.factors.deleteTotp(bearer, records)
  if (removed) announceFactorChange(removed, records, call, context)

  return reply(null)
}
