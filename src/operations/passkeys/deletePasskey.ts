import type { Operation } from '../../contract/operation.ts'
import { serializeDeletedPasskey } from '../../serializers/second-factors.ts'
import { announceFactorChange, toFactorRecords } from '../../services/factors/notify.ts'

export const deletePasskey: Operation<'deletePasskey'> = async (call, context) => {
  const { path, bearer, reply } = call
  const records = toFactorRecords('passkey_removed', call, context)
  const { owner, deleted } = await context.store.factors.deletePasskey(bearer, path.passkey_id, records)
  announceFactorChange(owner, call, context)

  return reply(serializeDeletedPasskey(deleted))
}
