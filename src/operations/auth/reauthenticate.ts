import type { Operation } from '../../contract/operation.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { methodsOf } from '../../services/factors/verify-code.ts'
import { replaceAfterReauthentication } from '../../services/sessions/begin-session.ts'
import { verifyPassword } from '../../services/password/verify-password.ts'
import { REAUTHENTICATION_EVENTS } from '../../services/sessions/reauthentication-events.ts'

export const reauthenticate: Operation<'reauthenticate'> = async (call, context) => {
  const { body, bearer, client, language, reply } = call
  const { password, code } = body
  const given = { password, factor: { code }, events: REAUTHENTICATION_EVENTS }
  const { account, proof } = await verifyPassword(call, given, context)
  if (proof === 'password_wrong') throw invalidData({ password: ['password_wrong'] })
  if (proof === 'wrong') throw invalidData({ code: ['code_wrong'] })
  if (proof === 'missing') throw new Failure('mfa_required', { factorMethods: methodsOf(account) })

  const used = proof === 'not_required' ? undefined : proof
  const login = { client, language, auditContext: toAuditContext(client), proof: used }
  const tokens = await replaceAfterReauthentication(bearer, account, login, context)
  // something has changed since it was compared
  if (!tokens) throw invalidData(used ? { code: ['code_wrong'] } : { password: ['password_wrong'] })

  return reply(tokens)
}
