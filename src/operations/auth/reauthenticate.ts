import type { Operation } from '../../contract/operation.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { beginProven } from '../../services/factors/proven-session.ts'
import { methodsOf } from '../../services/factors/verify-code.ts'
import { issueTokens } from '../../services/sessions/begin-session.ts'
import { verifyPasswordAndCode } from '../../services/password/password-failures.ts'
import { REAUTHENTICATION_EVENTS } from '../../services/sessions/recent-changes.ts'

export const reauthenticate: Operation<'reauthenticate'> = async (call, context) => {
  const { body, bearer, client, language, abandoned, rateLimiter, reply } = call
  const { password, code } = body
  const request = { bearer, password, code, client, abandoned, rateLimiter, events: REAUTHENTICATION_EVENTS }
  const { account, proof } = await verifyPasswordAndCode(request, context)
  if (proof === 'password_wrong') throw invalidData({ password: ['password_wrong'] })
  if (proof === 'wrong') throw invalidData({ code: ['code_wrong'] })
  if (proof === 'missing') throw new Failure('mfa_required', { factorMethods: methodsOf(account) })

  const { id: accountId, email, passwordHash } = account
  const { address, userAgent } = client
  const session = { accountId, passwordHash, address, userAgent }
  const auditContext = toAuditContext(client)
  const isPasswordAlone = proof === 'not_required'
  const sessionId = isPasswordAlone
    ? await context.store.sessions.replace(bearer, session, auditContext)
    : await beginProven(
        { ...session, proof },
        {
          ...{ event: 'reauthenticated', email, client, language, auditContext },
          begin: (proven) => context.store.factors.replaceSession(bearer, proven),
        },
        context,
      )
  // something has changed since it was compared
  if (sessionId === undefined)
    throw invalidData(isPasswordAlone ? { password: ['password_wrong'] } : { code: ['code_wrong'] })

  return reply(issueTokens({ accountId, email, sessionId, generation: 0 }, context))
}
