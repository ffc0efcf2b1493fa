import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { ofAccountAndNetwork } from '../../domain/rate-limiter.ts'
import { requirePasskeys } from '../../services/factors/passkeys.ts'

export const beginPasskeyReauthentication: Operation<'beginPasskeyReauthentication'> = async (call, context) => {
  const { bearer, client, rateLimiter, reply } = call
  const passkeys = requirePasskeys(context)
  const { accountId, sessionId } = bearer
  const policy = RATE_LIMITS['passkey-reauthentication-options']
  await rateLimiter.consume({ policy, key: ofAccountAndNetwork(bearer, client) })
  await context.store.factors.read(bearer) // rejects an ended session

  return reply(passkeys.requestOptions({ action: 'reauthenticate', accountId, sessionId }))
}
