import type { Operation } from '../../contract/operation.ts'
import { formatCode } from '../../domain/factors/second-factor.ts'
import { consumeFactorChange } from '../../services/factors/enrollment.ts'
import { announceFactorChange, toUndoableRecords } from '../../services/factors/notify.ts'
import { proveChange } from '../../services/factors/prove-change.ts'

export const renewRecoveryCodes: Operation<'renewRecoveryCodes'> = async (call, context) => {
  const { bearer, reply } = call
  const { store, recoveryCodes } = context
  await consumeFactorChange(call)
  const given = await proveChange(call, context)
  const codes = recoveryCodes.newCodes()
  const hashes = codes.map((code) => recoveryCodes.hash(code))
  const records = { given, ...toUndoableRecords('recovery_codes_renewed', call, context) }
  const renewed = await store.factors.renewRecoveryCodes(bearer, hashes, records)
  announceFactorChange(renewed, records, call, context)

  return reply({ recovery_codes: codes.map(formatCode) })
}
