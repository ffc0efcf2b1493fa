import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import { Failure } from '../../domain/failure.ts'
import type { Counter, Policy, Slate } from '../../domain/limit.ts'
import { traceOf } from '../../domain/trace.ts'

const PER_NETWORK: Policy = {
  name: 'register-taken',
  points: LIMITS.register.taken_per_address,
  seconds: LIMITS.register.taken_minutes * 60,
}
const PER_ACCOUNT: Policy = { ...PER_NETWORK, name: 'profile-taken' }

type Taken = { email: boolean; phone: boolean }

/** Who looks for identifiers that are taken, in a registration or, with an account, in an update */
type Asking = { client: Client; slate: Slate; accountId: number | undefined }

/**
 * Looks up whether identifiers are taken. What is taken is counted before the caller hears of it: requests for many that are
 * taken are a search for accounts.
 *
 * @throws Failure 429 `rate_limited`
 */
export async function countTaken(
  { client, slate, accountId }: Asking,
  { limits, store }: Context,
  lookUp: () => Promise<Taken>,
): Promise<Taken> {
  const ofAccount = accountId === undefined ? [] : [{ policy: PER_ACCOUNT, key: String(accountId) }]
  const counters: Counter[] = [{ policy: PER_NETWORK, key: client.network }, ...ofAccount]
  let taken: Taken | undefined
  const attempt = async (): Promise<boolean> => {
    taken = await lookUp()
    return !taken.email && !taken.phone
  }
  await limits.countFailures(counters, slate, attempt).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    const about = { ...traceOf(client), ...(accountId !== undefined && { accountId }) }
    return store.audit.recordRefusal(error, { rate_limited: 'taken_limited' }, client.network, about)
  })
  if (!taken) throw new Error('the attempt that was counted did not run')
  return taken
}
