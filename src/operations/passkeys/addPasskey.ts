import type { Operation } from '../../contract/operation.ts'
import { formatCode } from '../../domain/factors/second-factor.ts'
import { invalidData } from '../../domain/failure.ts'
import { serializePasskey } from '../../serializers/second-factors.ts'
import { consumeFactorChange, readEnrollment } from '../../services/factors/enrollment.ts'
import { announceFactorChange, toUndoableRecords } from '../../services/factors/notify.ts'
import { requirePasskeys } from '../../services/factors/passkeys.ts'

export const addPasskey: Operation<'addPasskey'> = async (call, context) => {
  const { body, bearer, reply } = call
  const { store, recoveryCodes } = context
  const { accountId, sessionId } = bearer
  const passkeys = requirePasskeys(context)
  await consumeFactorChange(call)
  const passkey = await passkeys.verifyAttestation(body.credential, { action: 'add', accountId, sessionId })
  const { enrollment, failures } = await readEnrollment(body.enrollment_code, call, context)
  if (!passkey) throw invalidData({ credential: ['passkey_wrong'], ...failures })
  if (failures.enrollment_code) throw invalidData(failures)

  const codes = recoveryCodes.newCodes()
  const records = toUndoableRecords('passkey_added', call, context)
  const added = await store.factors.addPasskey(bearer, {
    passkey,
    name: body.name,
    enrollment,
    recoveryHashes: codes.map((code) => recoveryCodes.hash(code)),
    ...records,
  })
  announceFactorChange(added, records, call, context)

  const shown = added.isFirst ? codes.map(formatCode) : null
  return reply({ passkey: serializePasskey(added.passkey), recovery_codes: shown })
}
