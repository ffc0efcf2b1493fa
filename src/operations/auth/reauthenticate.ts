import type { Operation } from '../../contract/operation.ts'
import { invalidData } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { issueTokens } from '../../services/sessions/begin-session.ts'
import { verifyPassword } from '../../services/password/password-failures.ts'
import { REAUTHENTICATION_EVENTS } from '../../services/sessions/recent-changes.ts'

export const reauthenticate: Operation<'reauthenticate'> = async (call, context) => {
  const { body, bearer, client, abandoned, rateLimiter, reply } = call
  const { password } = body
  const request = { bearer, password, client, abandoned, rateLimiter, events: REAUTHENTICATION_EVENTS }
  const { account, isCorrect: isKnown } = await verifyPassword(request, context)
  if (!isKnown) throw invalidData({ password: ['password_wrong'] })

  const { id: accountId, email, passwordHash } = account
  const { address, userAgent } = client
  const session = { passwordHash, address, userAgent }
  const sessionId = await context.store.sessions.replace(bearer, session, toAuditContext(client))
  if (sessionId === undefined) throw invalidData({ password: ['password_wrong'] }) // changed after it was compared

  return reply(issueTokens({ accountId, email, sessionId, generation: 0 }, context))
}
