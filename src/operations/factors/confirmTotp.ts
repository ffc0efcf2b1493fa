import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { formatCode } from '../../domain/factors/second-factor.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { asciiDigits } from '../../domain/phones/phone.ts'
import { toEnrollment } from '../../services/factors/enrollment.ts'
import { announceFactorChange, composeFactorMails } from '../../services/factors/notify.ts'

export const confirmTotp: Operation<'confirmTotp'> = async (call, context) => {
  const { body, bearer, client, rateLimiter, reply } = call
  const { store, totp, recoveryCodes, clock } = context
  const { accountId } = bearer
  await rateLimiter.consume({ policy: RATE_LIMITS['factor-changes'], key: String(accountId) })
  const owner = await store.factors.read(bearer)
  const { totpPending: sealed } = owner
  if (!sealed) throw new Failure('totp_not_begun')
  const step = await totp.findStep(asciiDigits(body.code), sealed, { accountId, nowMs: clock.nowMs() })
  if (step === undefined) throw invalidData({ code: ['code_wrong'] })

  const codes = recoveryCodes.newCodes()
  const recoveryHashes = codes.map((code) => recoveryCodes.hash(code))
  const enrollment = toEnrollment(body.enrollment_code, context)
  const records = {
    auditContext: toAuditContext(client),
    mails: composeFactorMails('totp_added', owner, call, context),
  }
  const isFirst = await store.factors.confirmTotp(bearer, { sealed, step, recoveryHashes, enrollment, ...records })
  announceFactorChange(owner, call, context)

  return reply({ recovery_codes: isFirst ? codes.map(formatCode) : null })
}
