import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { invalidData } from '../../domain/failure.ts'
import { ofAccountAndNetwork } from '../../domain/limits.ts'
import { verifyPasskey } from '../../services/factors/passkeys.ts'
import { replaceSession } from '../../services/sessions/begin-session.ts'
import { REAUTHENTICATION_EVENTS } from '../../services/sessions/recent-changes.ts'

export const reauthenticateWithPasskey: Operation<'reauthenticateWithPasskey'> = async (call, context) => {
  const { body, bearer, client, language, rateLimiter, reply } = call
  const { store } = context
  const { accountId, sessionId } = bearer
  const purpose = { action: 'reauthenticate', accountId, sessionId } as const
  const key = ofAccountAndNetwork(bearer, client)
  const auditContext = toAuditContext(client)
  const about = { ...auditContext, accountId }
  await store.factors.read(bearer) // rejects an ended session
  const verified = await rateLimiter
    .countFailures(
      [{ policy: RATE_LIMITS['known-password'], key }],
      () => verifyPasskey(body.credential, purpose, context),
      (result) => !result?.proof,
    )
    .catch((error: unknown) =>
      store.audit.recordRefusal(error, { rate_limited: REAUTHENTICATION_EVENTS.limited }, key, about),
    )
  const refuse = async (): Promise<never> => {
    await store.audit.record({ event: 'passkey_failed', ...about })
    throw invalidData({ credential: ['passkey_wrong'] })
  }
  if (!verified?.proof) return refuse()

  const { account, proof } = verified
  const tokens = await replaceSession(bearer, account, { client, language, auditContext, proof }, context)
  if (!tokens) return refuse() // the challenge was used, or something else has changed since

  return reply(tokens)
}
