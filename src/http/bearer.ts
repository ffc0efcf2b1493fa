import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Bearer } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import { REFUSED_TOKENS } from '../domain/limit.ts'
import { clientOf } from './client.ts'

const AUTHORIZATION = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/**
 * Reads the token of a request. Nothing of the body has been read then, and nothing of the database: the operation asks
 * for the state behind the token together with its data.
 *
 * @throws Failure 401 when there is no token of ours, 429 in its place after too many such
 */
export async function authenticate(request: FastifyRequest, { tokens, limits }: Context): Promise<Bearer> {
  const { authorization } = request.headers
  if (authorization === undefined || !/^Bearer /i.test(authorization)) throw new Failure('token_missing')
  try {
    const token = AUTHORIZATION.exec(authorization)?.[1]
    if (token === undefined) throw new Failure('token_invalid')
    return tokens.read(token)
  } catch (error) {
    await limits.take({ policy: REFUSED_TOKENS, key: clientOf(request).network }, request.slate)
    throw error
  }
}
