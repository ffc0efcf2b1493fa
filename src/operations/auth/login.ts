import type { Operation } from '../../contract/operation.ts'
import { refuseLogin, verifyLogin } from '../../services/password/verify-password.ts'
import { beginSession } from '../../services/sessions/begin-session.ts'

export const login: Operation<'login'> = async (call, context) => {
  const { body, client, language, reply } = call
  const verified = await verifyLogin(call, { code: body.code }, context)
  const { account, proof, auditContext } = verified
  const used = proof === 'not_required' ? undefined : proof
  const proven = { client, language, auditContext, proof: used }
  const tokens = await beginSession(account, proven, context)
  if (!tokens) return refuseLogin(used ? 'mfa_code_failed' : 'login_failed', verified, context) // something has changed since it was compared

  return reply(tokens)
}
