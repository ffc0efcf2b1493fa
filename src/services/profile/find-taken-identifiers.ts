import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import type { Counter, RateLimiter } from '../../domain/rate-limiter.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import type { Decision } from '../../domain/phones/phone-verification.ts'
import type { CodeAttempt } from '../phone/confirm-code.ts'

export type Taken = { email: boolean; phone: boolean }

/** The request that looks identifiers up: a registration, or an update of an account */
type RequestInfo = { client: Client; rateLimiter: RateLimiter; accountId: number | undefined }

/** The identifiers that a request looks up, if any, and the code that it tries if the number is free */
type Wanted = { email: string | undefined; phone: string | undefined; code: CodeAttempt | undefined }

/** `decision` is undefined if no code was tried. */
type Found = { taken: Taken; decision?: Decision | undefined }

/**
 * Looks up whether identifiers are taken, and tries a code. Taken ones are counted against a limit, because many of them
 * indicate a search for existing accounts. Wrong codes have their own counter, in the same attempt.
 *
 * @throws Failure 429 `rate_limited` or `otp_tries_exhausted`
 */
export async function findTakenIdentifiers(request: RequestInfo, wanted: Wanted, context: Context): Promise<Found> {
  const { client, rateLimiter, accountId } = request
  const { code, ...identifiers } = wanted
  const counters = countersFor(request, wanted)
  if (counters.length === 0) return { taken: { email: false, phone: false } }
  const attempt = async (): Promise<{ taken: Taken; decided?: Decision | Failure }> => {
    const taken = await context.store.profiles.taken(identifiers, accountId)
    return code && !taken.phone ? { taken, decided: await code.run().catch(catchFailure) } : { taken }
  }
  const { taken, decided } = await rateLimiter
    .countFailures(counters, attempt, ({ taken, decided }, counter) =>
      counter === code?.counter ? isWrong(decided) : taken.email || taken.phone,
    )
    .catch(async (error: unknown) => {
      if (code && error instanceof Failure && error.counter === code.counter) return code.refuse(error)
      const about = { ...toAuditContext(client), ...(accountId !== undefined && { accountId }) }
      return context.store.audit.recordRefusal(error, { rate_limited: 'taken_limited' }, client.network, about)
    })
  if (code && decided instanceof Failure) return code.refuse(decided)
  return { taken, decision: decided instanceof Failure ? undefined : decided }
}

function countersFor({ client, accountId }: RequestInfo, { email, phone, code }: Wanted): Counter[] {
  const ofCode = code ? [code.counter] : []
  if (email === undefined && phone === undefined) return ofCode
  const ofAccount = accountId === undefined ? [] : [{ policy: RATE_LIMITS['profile-taken'], key: String(accountId) }]
  return [{ policy: RATE_LIMITS['register-taken'], key: client.network }, ...ofAccount, ...ofCode]
}

/** Returns a rejection of the code, so that taken identifiers are counted before it is thrown. */
function catchFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** A rejected try is not counted, like any other attempt that throws. */
function isWrong(decided: Decision | Failure | undefined): boolean {
  return decided !== undefined && !(decided instanceof Failure) && !decided.isConfirmed
}
