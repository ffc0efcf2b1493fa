import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Bearer } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import { traceOf } from '../domain/trace.ts'
import { clientOf } from './client.ts'

const REFUSALS = { admin_required: 'admin_refused' } as const

/**
 * Rejects a request for an operation of administrators from anybody else, and records it. The body is not read yet and
 * the parameters are not validated, so the response does not depend on them. Operations that change something check the
 * privileges again under a lock, because they can be revoked while the body arrives.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required`
 */
export async function requireAdministrator(
  request: FastifyRequest,
  bearer: Bearer,
  { store }: Pick<Context, 'store'>,
): Promise<void> {
  const account = await store.bearers.account(bearer)
  if (!account) throw new Failure('token_revoked')
  if (account.isAdmin) return
  const about = { ...traceOf(clientOf(request)), accountId: account.id }
  await store.audit.recordRefusal(new Failure('admin_required'), REFUSALS, String(account.id), about)
}
