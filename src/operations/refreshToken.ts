import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { REFUSED_TOKENS } from '../domain/limit.ts'
import { traceOf } from '../domain/trace.ts'
import { tokensOf } from './shared/begin-session.ts'

export const refreshToken: Operation<'refreshToken'> = async ({ body, client, slate, reply }, context) => {
  const { store, refreshTokens, limits } = context
  const { network } = client
  const claims = refreshTokens.read(body.refresh_token)
  const exchange = claims && (await store.sessions.exchange(claims))
  if (exchange?.verdict === 'reused') {
    const { accountId } = exchange
    await store.audit.record({ event: 'refresh_token_reused', accountId, ...traceOf(client) })
  }
  if (!exchange || exchange.verdict === 'reused' || exchange.verdict === 'expired') {
    await limits.take({ policy: REFUSED_TOKENS, key: network }, slate)
    throw new Failure('refresh_token_invalid')
  }

  return reply(tokensOf({ ...exchange, sessionId: claims.sessionId }, context))
}
