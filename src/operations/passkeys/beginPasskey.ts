import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { requirePasskeys } from '../../services/factors/passkeys.ts'

export const beginPasskey: Operation<'beginPasskey'> = async ({ bearer, rateLimiter, reply }, context) => {
  const available = requirePasskeys(context)
  const { accountId, sessionId } = bearer
  await rateLimiter.consume({ policy: RATE_LIMITS['factor-changes'], key: String(accountId) })
  const { email, passkeys, userHandle } = await context.store.factors.passkeyOwner(bearer)
  const owner = { email, passkeys, userHandle: userHandle ?? undefined }

  return reply(available.creationOptions({ action: 'add', accountId, sessionId }, owner))
}
