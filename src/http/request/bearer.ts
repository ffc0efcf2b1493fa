import type { FastifyRequest } from 'fastify'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { readClient } from './client-address.ts'
import { rateLimiterFor } from './rate-limiter.ts'

const AUTHORIZATION = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/**
 * Reads the access token of a request, before its body and without the database: the operation reads the state of the
 * account together with its own data.
 *
 * @throws Failure 401 without a valid token, 429 `rate_limited` instead after too many invalid ones
 */
export async function authenticate(request: FastifyRequest, context: Context): Promise<Bearer> {
  const { authorization } = request.headers
  if (authorization === undefined || !/^Bearer /i.test(authorization)) throw new Failure('token_missing')
  try {
    const token = AUTHORIZATION.exec(authorization)?.[1]
    if (token === undefined) throw new Failure('token_invalid')
    return context.tokens.read(token)
  } catch (error) {
    await rateLimiterFor(request, context).consume({
      policy: RATE_LIMITS['refused-tokens'],
      key: readClient(request).network,
    })
    throw error
  }
}
