import type { Context } from '../../context.ts'
import type { Operation } from '../../contract/operation.ts'
import { normaliseEmail, type Credentials } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { maskEmail } from '../../domain/text.ts'
import { networkRequester, type Requester } from '../../domain/limits.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { methodsOf, verifyCode } from '../../services/factors/verify-code.ts'
import { beginSession } from '../../services/sessions/begin-session.ts'
import { loginCounters } from '../../services/password/password-failures.ts'

const REFUSALS = { rate_limited: 'login_limited' } as const

export const login: Operation<'login'> = async (call, context) => {
  const { body, client, language, abandoned, rateLimiter, reply } = call
  const { store, passwords } = context
  const { network } = client
  const email = normaliseEmail(body.email)
  const auditContext = toAuditContext(client, maskEmail(email))
  const requester = networkRequester(network, abandoned)
  const account = await store.accounts.loginCredentials(email, network)
  const proof = await rateLimiter
    .countFailures(
      loginCounters(email, account, client),
      async () => {
        const matches = await passwords.matches(body.password, account?.passwordHash, requester)
        if (!account || !matches) return 'password_wrong'
        return account.factors ? verifyCode(account, body.code, context) : 'not_required'
      },
      (proof) => proof === 'password_wrong' || proof === 'wrong',
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, email, auditContext))
  const refuse = async (event: 'login_failed' | 'mfa_code_failed'): Promise<never> => {
    await store.audit.record({ event, ...(account && { accountId: account.id }), ...auditContext })
    throw new Failure(event === 'login_failed' ? 'credentials_wrong' : 'mfa_code_wrong')
  }
  if (!account || proof === 'password_wrong') return refuse('login_failed')
  if (account.status === 'suspended') {
    await store.audit.record({ event: 'login_suspended', accountId: account.id, ...auditContext })
    throw new Failure('account_suspended')
  }
  if (proof === 'wrong') return refuse('mfa_code_failed')
  if (proof === 'missing') throw new Failure('mfa_required', { factorMethods: methodsOf(account) })

  const passwordHash = await renewHash(account, body.password, requester, context)
  const used = proof === 'not_required' ? undefined : proof
  const tokens = await beginSession({ ...account, passwordHash }, { client, language, auditContext, proof: used }, context)
  if (!tokens) return refuse(used ? 'mfa_code_failed' : 'login_failed') // something has changed since it was compared

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
  await store.accounts.renewHash(account, renewed)
  return renewed
}
