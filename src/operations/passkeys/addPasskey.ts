import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { formatCode } from '../../domain/factors/second-factor.ts'
import { invalidData } from '../../domain/failure.ts'
import { serializePasskey } from '../../serializers/second-factors.ts'
import { toEnrollment } from '../../services/factors/enrollment.ts'
import { announceFactorChange, composeFactorMails } from '../../services/factors/notify.ts'
import { requirePasskeys } from '../../services/factors/passkeys.ts'

export const addPasskey: Operation<'addPasskey'> = async (call, context) => {
  const { body, bearer, client, rateLimiter, reply } = call
  const { store, recoveryCodes } = context
  const { accountId, sessionId } = bearer
  const passkeys = requirePasskeys(context)
  await rateLimiter.consume({ policy: RATE_LIMITS['factor-changes'], key: String(accountId) })
  const passkey = await passkeys.verifyAttestation(body.credential, { action: 'add', accountId, sessionId })
  if (!passkey) throw invalidData({ credential: ['passkey_wrong'] })

  const owner = await store.factors.read(bearer)
  const codes = recoveryCodes.newCodes()
  const { passkey: added, isFirst } = await store.factors.addPasskey(bearer, {
    passkey,
    name: body.name.trim(),
    enrollment: toEnrollment(body.enrollment_code, context),
    recoveryHashes: codes.map((code) => recoveryCodes.hash(code)),
    auditContext: toAuditContext(client),
    mails: composeFactorMails('passkey_added', owner, call, context),
  })
  announceFactorChange(owner, call, context)

  return reply({ passkey: serializePasskey(added), recovery_codes: isFirst ? codes.map(formatCode) : null })
}
