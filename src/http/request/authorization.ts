import type { FastifyRequest } from 'fastify'
import { bindings } from '../../../generated/operations.ts'
import type { Context } from '../../context.ts'
import type { OperationId } from '../../contract/operation.ts'
import type { Account, Bearer } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { requireFactor } from '../../domain/factors/required-factor.ts'
import { recentAuthentication, requireRecent } from '../../domain/sessions/recent-authentication.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { readClient } from './client-address.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import { rateLimiterFor } from './rate-limiter.ts'

const REFUSALS = { admin_required: 'admin_refused' } as const

/**
 * Checks what the document requires of the account and the session of a request: the privileges of an administrator, with
 * a second factor if the operator requires it, and recent authentication. The body is not read yet and the parameters are
 * not validated, so that a rejection does not depend on them. Operations that change something check all of it again under
 * a lock, because it can be lost while the body arrives.
 *
 * @returns the bearer, with what the operation requires of it
 * @throws Failure 401 `token_revoked`, 403 `admin_required`, `mfa_enrollment_required` or `reauthentication_required`
 */
export async function authorize(
  request: FastifyRequest,
  bearer: Bearer,
  id: OperationId,
  context: Context,
): Promise<Bearer> {
  const { store } = context
  const { requiresAdministrator, recentAuthentication: rule } = bindings[id]
  if (!requiresAdministrator && !rule) return bearer
  const recent = recentAuthentication(context, rule)
  const needsFactor = requiresAdministrator && context.administratorsNeedFactor
  if (requiresAdministrator || rule.when === null) {
    const account = await store.bearerAccounts.proven(bearer)
    if (requiresAdministrator && !account.isAdmin) await refuse(request, account, store)
    requireFactor(needsFactor, account)
    requireRecent(recent, account)
  }
  return { ...bearer, recent, needsFactor }
}

/** Rejects a request of an account without the privileges of an administrator, and records it. */
function refuse(request: FastifyRequest, { id: accountId }: Account, { audit }: Context['store']): Promise<never> {
  const about = { ...toAuditContext(readClient(request)), accountId }
  return audit.recordRefusal(new Failure('admin_required'), REFUSALS, String(accountId), about)
}

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
    const bearer = context.tokens.read(token)
    if (bearer.generation !== undefined) context.recordUse(bearer)
    return bearer
  } catch (error) {
    const { network } = readClient(request)
    await rateLimiterFor(request, context).consume({ policy: RATE_LIMITS['refused-tokens'], key: network })
    throw error
  }
}
