// What all requests that add or renew second factors share: their limit, and the enrollment code of an administrator.
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { AnyCall } from '../../contract/operation.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import type { FieldFailures } from '../../domain/failure.ts'
import type { Enrollment } from '../../domain/factors/required-factor.ts'
import { parseTypedCode } from '../../domain/factors/second-factor.ts'
import { ofAccountAndNetwork } from '../../domain/limits.ts'
import { asciiDigits } from '../../domain/phones/phone.ts'

type OwnCall = AnyCall & { bearer: Bearer }

/** @throws Failure 429 `rate_limited` after too many changes of the second factors of the account from the network */
export async function consumeFactorChange({ bearer, client, rateLimiter }: OwnCall): Promise<void> {
  await rateLimiter.consume({ policy: RATE_LIMITS['factor-changes'], key: ofAccountAndNetwork(bearer, client) })
}

/** Returns what a request gives to add a second factor, with the enrollment code as people type it. */
export function toEnrollment(
  text: string | undefined,
  { administratorsNeedFactor, enrollmentCodes }: Context,
): Enrollment {
  const codeHash = text === undefined ? undefined : enrollmentCodes.hash(parseTypedCode(asciiDigits(text)))
  return { administratorsNeedCode: administratorsNeedFactor, codeHash }
}

/**
 * Returns what is wrong with the enrollment code of a request, so that its error names every wrong field. A wrong code is
 * recorded.
 */
export async function enrollmentFailures(
  { bearer, client }: OwnCall,
  enrollment: Enrollment,
  { store }: Context,
): Promise<FieldFailures> {
  if (!enrollment.administratorsNeedCode) return {}
  const failure = await store.factors.enrollmentFailure(bearer, enrollment)
  if (failure === 'code_wrong')
    await store.audit.record({ event: 'mfa_code_failed', accountId: bearer.accountId, ...toAuditContext(client) })
  return failure ? { enrollment_code: [failure] } : {}
}
