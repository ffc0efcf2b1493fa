import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'

export const beginTotp: Operation<'beginTotp'> = async ({ bearer, rateLimiter, reply }, { store, totp }) => {
  const { accountId } = bearer
  await rateLimiter.consume({ policy: RATE_LIMITS['factor-changes'], key: String(accountId) })
  const created = await totp.newSecret(accountId)
  if (!created) throw new Failure('factors_unavailable')
  const { secret, sealed } = created
  const email = await store.factors.beginTotp(bearer, sealed)

  return reply({ uri: await totp.uri(secret, email), secret })
}
