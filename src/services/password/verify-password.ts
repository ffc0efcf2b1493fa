import type { AnyCall } from '../../contract/operation.ts'
import type { Bearer, Credentials, LoginCredentials, OwnCredentials } from '../../domain/accounts/account.ts'
import { ofAccountAndNetwork } from '../../domain/rate-limiter.ts'
import { accountRequester, networkRequester, type Requester } from '../../domain/requester.ts'
import type { FactorProof } from '../../domain/factors/second-factor.ts'
import type { Context } from '../../context.ts'
import { toAuditContext, type AuditContext, type EventName } from '../../domain/audit/audit-context.ts'
import { maskEmail } from '../../domain/text.ts'
import { Failure } from '../../domain/failure.ts'
import type { NewMail } from '../../domain/mail.ts'
import { methodsOf, verifyCode } from '../factors/verify-code.ts'
import { requestMail } from '../notifications/mail.ts'
import { codeCounters, isFailed, isFailureIn, loginCounters, ownCounters, type GivenFactor } from './guess-counters.ts'

/**
 * Counts and records a body that may be a guess of a password like a login. The caller reveals whether it was right only
 * afterwards.
 *
 * @param guess the normalized e-mail address that the password was sent with, and whether it was wrong
 * @throws Failure 429 `rate_limited` if too many were wrong, also for a right one
 */
export async function countGuess(
  { email, isWrong }: Readonly<{ email: string; isWrong: boolean }>,
  { client, rateLimiter }: AnyCall,
  { store }: Pick<Context, 'store'>,
): Promise<void> {
  const account = await store.accounts.loginCredentials(email, client.network)
  const about = { ...(account && { accountId: account.id }), ...toAuditContext(client, maskEmail(email)) }
  await rateLimiter
    .countFailures(
      loginCounters(email, account, client),
      () => Promise.resolve(isWrong),
      (wrong) => wrong,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, { rate_limited: 'login_limited' }, email, about))
  if (isWrong) await store.audit.record({ event: 'login_failed', ...about })
}

type LoginCall = AnyCall & Readonly<{ body: Readonly<{ email: string; password: string }> }>

type ProvenLogin = Readonly<{
  account: LoginCredentials
  proof: Exclude<FactorProof, 'missing' | 'wrong'>
  /** The context of the audit events of the request */
  auditContext: AuditContext
}>

const REFUSALS = { rate_limited: 'login_limited' } as const

/**
 * Verifies the e-mail address and the password of a request without an access token, and then the second factor. A wrong
 * password or factor is counted and recorded.
 *
 * @throws Failure 401 `credentials_wrong` or `mfa_code_wrong`, 403 `account_suspended` or `mfa_required`, 429 `rate_limited`
 */
export async function verifyLogin(call: LoginCall, factor: GivenFactor, context: Context): Promise<ProvenLogin> {
  const { body, client, abandoned, rateLimiter } = call
  const { store, passwords } = context
  const { network } = client
  const { email } = body
  const auditContext = toAuditContext(client, maskEmail(email))
  const account = await store.accounts.loginCredentials(email, network)
  const proof = await rateLimiter
    .countFailures(
      [...loginCounters(email, account, client), ...codeCounters(factor, account, network)],
      async () => {
        const requester = networkRequester(network, abandoned)
        const matches = await passwords.matches(body.password, account?.passwordHash, requester)
        if (!account || !matches) return 'password_wrong'
        return factor && account.factors ? verifyCode(account, factor.code, context) : 'not_required'
      },
      isFailureIn,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, email, auditContext))
  if (!account || proof === 'password_wrong') return refuseLogin('login_failed', { account, auditContext }, context)
  if (account.status === 'suspended') {
    await store.audit.record({ event: 'login_suspended', accountId: account.id, ...auditContext })
    throw new Failure('account_suspended')
  }
  if (proof === 'missing' || proof === 'wrong') return refuseHalf({ account, proof, auditContext }, call, context)
  const passwordHash = await renewHash(account, body.password, networkRequester(network, abandoned), context)
  return { account: { ...account, passwordHash }, proof, auditContext }
}

type Half = Omit<ProvenLogin, 'proof'> & Readonly<{ proof: 'missing' | 'wrong' }>

/** Records a login with the right password and without the second factor, and rejects it. The owner is notified if no login follows. */
async function refuseHalf({ account, proof, auditContext }: Half, call: LoginCall, context: Context): Promise<never> {
  const { id: accountId, email } = account
  const mails = requestMail({ kind: 'half_login', email, accountId }, call, context)
  if (proof === 'wrong') return refuseLogin('mfa_code_failed', { account, auditContext, mails }, context)
  const required = new Failure('mfa_required', { factorMethods: methodsOf(account) })
  const key = ofAccountAndNetwork({ accountId }, call.client)
  const about = { accountId, ...auditContext, mails }
  return context.store.audit.recordRefusal(required, { mfa_required: 'mfa_code_missing' }, key, about)
}

type Refused = { account: Pick<Credentials, 'id'> | undefined; auditContext: AuditContext; mails?: NewMail[] }

/** Records a wrong password or a wrong code, and rejects the request. */
export async function refuseLogin(
  event: 'login_failed' | 'mfa_code_failed',
  { account, auditContext, mails }: Refused,
  { store }: Context,
): Promise<never> {
  await store.audit.record({ event, ...(account && { accountId: account.id }), ...auditContext }, mails)
  throw new Failure(event === 'login_failed' ? 'credentials_wrong' : 'mfa_code_wrong')
}

type Given = Readonly<{
  /** Null for a request that the second factor alone proves */
  password: string | null
  factor?: GivenFactor
  /** The audit events of a wrong password, and of too many */
  events: Readonly<{ wrong: EventName; limited: EventName }>
}>

/**
 * Verifies the password of the account behind a token, if given, and then the second factor. They are one attempt. Wrong
 * ones are counted and recorded.
 *
 * @throws Failure 401 `token_revoked`, 429 `rate_limited`
 */
export async function verifyPassword(
  { bearer, client, abandoned, rateLimiter }: AnyCall & { bearer: Bearer },
  { password, factor, events }: Given,
  context: Context,
): Promise<{ account: OwnCredentials; proof: FactorProof | 'password_wrong' }> {
  const { store, passwords } = context
  const account = await store.accounts.bearerCredentials(bearer, client.network)
  const { accountId } = bearer
  const key = ofAccountAndNetwork({ accountId }, client)
  const about = { ...toAuditContext(client), accountId }
  const requester = accountRequester(accountId, abandoned)
  const proof = await rateLimiter
    .countFailures(
      ownCounters(account, { password, factor }, client),
      async () => {
        const isWrong = password !== null && !(await passwords.matches(password, account.passwordHash, requester))
        if (isWrong) return 'password_wrong'
        return factor ? verifyCode(account, factor.code, context) : 'not_required'
      },
      isFailureIn,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, { rate_limited: events.limited }, key, about))
  if (proof === 'password_wrong') await store.audit.record({ event: events.wrong, ...about })
  if (proof === 'wrong') await store.audit.record({ event: 'mfa_code_failed', ...about })
  if (isFailed(proof) || password === null) return { account, proof }
  return { account: { ...account, passwordHash: await renewHash(account, password, requester, context) }, proof }
}

/**
 * Returns the stored hash of a right password, renewed if its cost is too low. Another request can renew it meanwhile, so
 * that the one that was compared is not stored any more.
 */
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
  const isSame = stored === renewed || (await passwords.matches(password, stored, requester))
  return isSame && stored !== undefined ? stored : passwordHash
}
