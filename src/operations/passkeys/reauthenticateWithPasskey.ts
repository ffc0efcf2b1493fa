import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { verifyOwnPasskey } from '../../services/factors/passkeys.ts'
import { replaceAfterReauthentication } from '../../services/sessions/begin-session.ts'

export const reauthenticateWithPasskey: Operation<'reauthenticateWithPasskey'> = async (call, context) => {
  const { body, bearer, client, language, reply } = call
  await context.store.factors.read(bearer) // rejects an ended session
  const { account, proof, refuse } = await verifyOwnPasskey(body.credential, call, context)

  const login = { client, language, auditContext: toAuditContext(client), proof }
  const tokens = await replaceAfterReauthentication(bearer, account, login, context)
  if (!tokens) return refuse() // the challenge was used, or something else has changed since

  return reply(tokens)
}
