import type { Operation } from '../../contract/operation.ts'
import { serializeDeletedPasskey } from '../../serializers/second-factors.ts'
import { announceFactorChange, toUndoableRecords } from '../../services/factors/notify.ts'
import { proveChange } from '../../services/factors/prove-change.ts'

export const removePasskey: Operation<'removePasskey'> = async (call, context) => {
  const { path, bearer, reply } = call
  const given = await proveChange(call, context)
  const records = { given, ...toUndoableRecords('passkey_removed', call, context) }
  const removed = await context.store.factors.deletePasskey(bearer, path.passkey_id, records)
  announceFactorChange(removed, records, call, context)

  return reply(serializeDeletedPasskey(removed.deleted))
}
