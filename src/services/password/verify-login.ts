import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import { normaliseEmail, type Credentials, type LoginCredentials } from '../../domain/accounts/account.ts'
import { toAuditContext, type AuditContext } from '../../domain/audit/audit-context.ts'
import { Failure } from '../../domain/failure.ts'
import type { FactorProof } from '../../domain/factors/second-factor.ts'
import { networkRequester, type RateLimiter } from '../../domain/limits.ts'
import { maskEmail } from '../../domain/text.ts'
import { loginCounters } from './password-failures.ts'

type LoginRequest = Readonly<{
  body: Readonly<{ email: string; password: string }>
  client: Client
  abandoned: AbortSignal
  rateLimiter: RateLimiter
}>

type Proven = Readonly<{
  account: LoginCredentials
  proof: Exclude<FactorProof, 'wrong'>
  /** The context of the audit events of the request */
  auditContext: AuditContext
}>

const REFUSALS = { rate_limited: 'login_limited' } as const

/**
 * Verifies the e-mail address and the password of a request without an access token, and then the second factor. A wrong
 * password or factor is counted and recorded.
 *
 * @throws Failure 401 `credentials_wrong` or `mfa_code_wrong`, 403 `account_suspended`, 429 `rate_limited`
 */
export async function verifyLogin(
  { body, client, abandoned, rateLimiter }: LoginRequest,
  verifyFactor: (account: LoginCredentials) => Promise<FactorProof>,
  context: Context,
): Promise<Proven> {
  const { store, passwords } = context
  const { network } = client
  const email = normaliseEmail(body.email)
  const auditContext = toAuditContext(client, maskEmail(email))
  const account = await store.accounts.loginCredentials(email, network)
  const proof = await rateLimiter
    .countFailures(
      loginCounters(email, account, client),
      async () => {
        const requester = networkRequester(network, abandoned)
        const matches = await passwords.matches(body.password, account?.passwordHash, requester)
        return account && matches ? verifyFactor(account) : 'password_wrong'
      },
      (proof) => proof === 'password_wrong' || proof === 'wrong',
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, email, auditContext))
  if (!account || proof === 'password_wrong') return refuseLogin('login_failed', { account, auditContext }, context)
  if (account.status === 'suspended') {
    await store.audit.record({ event: 'login_suspended', accountId: account.id, ...auditContext })
    throw new Failure('account_suspended')
  }
  if (proof === 'wrong') return refuseLogin('mfa_code_failed', { account, auditContext }, context)
  return { account, proof, auditContext }
}

type Refused = Readonly<{ account: Pick<Credentials, 'id'> | undefined; auditContext: AuditContext }>

/** Records a wrong password or a wrong code, and rejects the request. */
export async function refuseLogin(
  event: 'login_failed' | 'mfa_code_failed',
  { account, auditContext }: Refused,
  { store }: Context,
): Promise<never> {
  await store.audit.record({ event, ...(account && { accountId: account.id }), ...auditContext })
  throw new Failure(event === 'login_failed' ? 'credentials_wrong' : 'mfa_code_wrong')
}
