import { bindings } from '../../generated/operations.ts'
import type { Context } from '../context.ts'
import type { OperationId } from '../contract.ts'
import type { Bearer } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import { requireRecent } from '../domain/recent-authentication.ts'

/**
 * Adds to a bearer the recent authentication that the document requires for an operation, which the store checks again
 * when it locks the account. An operation that always requires it is rejected here, before its body is read.
 *
 * @throws Failure 401 `token_revoked`, 403 `reauthentication_required`
 */
export async function withRecentAuthentication(
  bearer: Bearer,
  id: OperationId,
  { store, clock, recentProofSeconds: maxAgeSeconds }: Context,
): Promise<Bearer> {
  const rule = bindings[id].recentAuthentication
  if (!rule) return bearer
  const recent = { maxAgeSeconds, clockAheadSeconds: clock.shiftMs() / 1000, when: rule.when }
  if (rule.when === null) {
    const account = await store.bearers.account(bearer)
    if (!account) throw new Failure('token_revoked')
    requireRecent(recent, account)
  }
  return { ...bearer, recent }
}
