import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { requirePasskeys } from '../../services/factors/passkeys.ts'

export const beginPasskeyLogin: Operation<'beginPasskeyLogin'> = async ({ client, rateLimiter, reply }, context) => {
  const passkeys = requirePasskeys(context)
  await rateLimiter.consume({ policy: RATE_LIMITS['passkey-options'], key: client.network })

  return reply(passkeys.requestOptions('login'))
}
