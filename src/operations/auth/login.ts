import type { Context } from '../../context.ts'
import type { Operation } from '../../contract/operation.ts'
import { normaliseEmail, type Credentials } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { maskEmail } from '../../domain/text.ts'
import { networkRequester, type Requester } from '../../domain/limits.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { beginSession } from '../../services/sessions/begin-session.ts'
import { loginCounters } from '../../services/password/password-failures.ts'

const REFUSALS = { rate_limited: 'login_limited' } as const

export const login: Operation<'login'> = async ({ body, client, abandoned, rateLimiter, reply }, context) => {
  const { store, passwords } = context
  const { network } = client
  const email = normaliseEmail(body.email)
  const auditContext = toAuditContext(client, maskEmail(email))
  const requester = networkRequester(network, abandoned)
  const account = await store.accounts.loginCredentials(email, network)
  const matches = await rateLimiter
    .countFailures(
      loginCounters(email, account, client),
      () => passwords.matches(body.password, account?.passwordHash, requester),
      (matches) => !matches,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, email, auditContext))
  const refuse = async (): Promise<never> => {
    await store.audit.record({ event: 'login_failed', ...(account && { accountId: account.id }), ...auditContext })
    throw new Failure('credentials_wrong')
  }
  if (!account || !matches) return refuse()
  if (account.status === 'suspended') {
    await store.audit.record({ event: 'login_suspended', accountId: account.id, ...auditContext })
    throw new Failure('account_suspended')
  }

  const passwordHash = await renewHash(account, body.password, requester, context)
  const tokens = await beginSession({ ...account, passwordHash }, { client, auditContext }, context)
  if (!tokens) return refuse() // the password has changed since it was compared

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
