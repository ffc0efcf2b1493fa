import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { Failure } from '../../domain/failure.ts'
import { findPasskey, passkeyLoginCounters, verifyPasskey } from '../../services/factors/passkeys.ts'
import { beginSession } from '../../services/sessions/begin-session.ts'

const REFUSALS = { rate_limited: 'login_limited' } as const

export const loginWithPasskey: Operation<'loginWithPasskey'> = async (call, context) => {
  const { body, client, language, rateLimiter, reply } = call
  const { store } = context
  const auditContext = toAuditContext(client)
  const found = await findPasskey(body.credential, client, context)
  const proof = await rateLimiter
    .countFailures(
      passkeyLoginCounters(found, client),
      () => verifyPasskey(found, body.credential, 'login', context),
      (given) => !given,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, client.network, auditContext))
  const accountId = found?.account.id
  const refuse = async (): Promise<never> => {
    await store.audit.record({
      event: 'passkey_failed',
      ...(accountId !== undefined && { accountId }),
      ...auditContext,
    })
    throw new Failure('credentials_wrong')
  }
  if (!found || !proof) return refuse()
  const { account } = found
  if (account.status === 'suspended') {
    await store.audit.record({ event: 'login_suspended', accountId: account.id, ...auditContext })
    throw new Failure('account_suspended')
  }

  const tokens = await beginSession(account, { client, language, auditContext, proof }, context)
  if (!tokens) return refuse() // the challenge was used, or something else has changed since it was compared

  return reply(tokens)
}
