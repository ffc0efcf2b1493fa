// What all requests that add or renew second factors share: their limit, and the enrollment code of an administrator.
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { AnyCall } from '../../contract/operation.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import type { FieldFailures } from '../../domain/failure.ts'
import type { Enrollment } from '../../domain/factors/required-factor.ts'
import { ofAccountAndNetwork } from '../../domain/rate-limiter.ts'

type OwnCall = AnyCall & { bearer: Bearer }

/** @throws Failure 429 `rate_limited` after too many changes of the second factors of the account from the network */
export async function consumeFactorChange({ bearer, client, rateLimiter }: OwnCall): Promise<void> {
  await rateLimiter.consume({ policy: RATE_LIMITS['factor-changes'], key: ofAccountAndNetwork(bearer, client) })
}

type ReadEnrollment = Readonly<{ enrollment: Enrollment; failures: FieldFailures }>

/**
 * Reads the enrollment code of a request that adds a second factor, as people type it. Returns what is wrong with it, so that
 * the error of the request names every wrong field. A wrong code is recorded.
 */
export async function readEnrollment(
  text: string | undefined,
  { bearer, client }: OwnCall,
  { store, administratorsNeedFactor, enrollmentCodes }: Context,
): Promise<ReadEnrollment> {
  const codeHash = text === undefined ? undefined : enrollmentCodes.hash(text)
  const enrollment = { administratorsNeedCode: administratorsNeedFactor, codeHash }
  const failure = administratorsNeedFactor ? await store.factors.enrollmentFailure(bearer, enrollment) : undefined
  if (failure === 'code_wrong')
    await store.audit.record({ event: 'mfa_code_failed', accountId: bearer.accountId, ...toAuditContext(client) })
  return { enrollment, failures: failure ? { enrollment_code: [failure] } : {} }
}
