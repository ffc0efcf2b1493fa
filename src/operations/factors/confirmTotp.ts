import type { Operation } from '../../contract/operation.ts'
import { formatCode } from '../../domain/factors/second-factor.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { consumeFactorChange, readEnrollment } from '../../services/factors/enrollment.ts'
import { announceFactorChange, toUndoableRecords } from '../../services/factors/notify.ts'

export const confirmTotp: Operation<'confirmTotp'> = async (call, context) => {
  const { body, bearer, reply } = call
  const { store, totp, recoveryCodes, clock } = context
  const { accountId } = bearer
  await consumeFactorChange(call)
  const { totpPending: sealed } = await store.factors.read(bearer)
  if (!sealed) throw new Failure('totp_not_begun')
  const step = await totp.findStep(body.code, sealed, { accountId, nowMs: clock.nowMs() })
  const { enrollment, failures } = await readEnrollment(body.enrollment_code, call, context)
  if (step === undefined) throw invalidData({ code: ['code_wrong'], ...failures })
  if (failures.enrollment_code) throw invalidData(failures)

  const codes = recoveryCodes.newCodes()
  const recoveryHashes = codes.map((code) => recoveryCodes.hash(code))
  const records = toUndoableRecords('totp_added', call, context)
  const confirmation = { sealed, step, recoveryHashes, enrollment, ...records }
  const confirmed = await store.factors.confirmTotp(bearer, confirmation)
  announceFactorChange(confirmed, records, call, context)

  return reply({ recovery_codes: confirmed.isFirst ? codes.map(formatCode) : null })
}
