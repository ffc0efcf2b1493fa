import type { Context } from '../../context.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Credentials } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { networkRequester, type Requester } from '../../domain/limits.ts'
import { methodsOf, verifyCode } from '../../services/factors/verify-code.ts'
import { refuseLogin, verifyLogin } from '../../services/password/verify-password.ts'
import { beginSession } from '../../services/sessions/begin-session.ts'

export const login: Operation<'login'> = async (call, context) => {
  const { body, client, language, abandoned, reply } = call
  const verified = await verifyLogin(call, (account) => verifyCode(account, body.code, context), context)
  const { account, proof, auditContext } = verified
  if (proof === 'missing') throw new Failure('mfa_required', { factorMethods: methodsOf(account) })

  const passwordHash = await renewHash(account, body.password, networkRequester(client.network, abandoned), context)
  const used = proof === 'not_required' ? undefined : proof
  const proven = { client, language, auditContext, proof: used }
  const tokens = await beginSession({ ...account, passwordHash }, proven, context)
  if (!tokens) return refuseLogin(used ? 'mfa_code_failed' : 'login_failed', verified, context) // something has changed since it was compared

  return reply(tokens)
}

/** Returns the hash of the account, renewed if its cost is not the configured one. */
async function renewHash(
  account: Credentials,
  password: string,
  requester: Requester,
  { store, passwords }: Context,
): Promise<string> {
  const { passwordHash } = account
  if (!passwords.needsRehash(passwordHash)) return passwordHash
  const renewed = await passwords.hash(password, requester)
  const stored = await store.accounts.renewHash(account, renewed)
  // another login may have renewed it meanwhile
  const isSame = stored === renewed || (await passwords.matches(password, stored, requester))
  return isSame && stored !== undefined ? stored : passwordHash
}
