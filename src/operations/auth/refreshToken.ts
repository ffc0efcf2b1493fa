import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { issueTokens } from '../../services/sessions/begin-session.ts'

export const refreshToken: Operation<'refreshToken'> = async ({ body, client, rateLimiter, reply }, context) => {
  const { store, refreshTokens } = context
  const claims = refreshTokens.read(body.refresh_token)
  const exchange = claims && (await store.sessions.exchange(claims))
  if (exchange?.outcome === 'reused') {
    const { accountId } = exchange
    await store.audit.record({ event: 'refresh_token_reused', accountId, ...toAuditContext(client) })
  }
  if (!exchange || exchange.outcome === 'reused' || exchange.outcome === 'expired') {
    await rateLimiter.consume({ policy: RATE_LIMITS['refused-tokens'], key: client.network })
    throw new Failure('refresh_token_invalid')
  }

  return reply(issueTokens({ ...exchange, sessionId: claims.sessionId }, context))
}
