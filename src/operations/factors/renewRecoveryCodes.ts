import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { formatCode } from '../../domain/factors/second-factor.ts'
import { announceFactorChange, composeFactorMails } from '../../services/factors/notify.ts'

export const renewRecoveryCodes: Operation<'renewRecoveryCodes'> = async (call, context) => {
  const { bearer, client, rateLimiter, reply } = call
  const { store, recoveryCodes } = context
  await rateLimiter.consume({ policy: RATE_LIMITS['factor-changes'], key: String(bearer.accountId) })
  const owner = await store.factors.read(bearer)
  const codes = recoveryCodes.newCodes()
  const hashes = codes.map((code) => recoveryCodes.hash(code))
  const mails = composeFactorMails('recovery_codes_renewed', owner, call, context)
  await store.factors.renewRecoveryCodes(bearer, hashes, { auditContext: toAuditContext(client), mails })
  announceFactorChange(owner, call, context)

  return reply({ recovery_codes: codes.map(formatCode) })
}
