import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { AnyCall, Client } from '../../contract/operation.ts'
import {
  type Bearer,
  type Credentials,
  type LoginCredentials,
  type OwnCredentials,
} from '../../domain/accounts/account.ts'
import {
  accountRequester,
  networkRequester,
  ofAccountAndNetwork,
  type Counter,
  type Requester,
} from '../../domain/limits.ts'
import type { FactorProof } from '../../domain/factors/second-factor.ts'
import type { Context } from '../../context.ts'
import { toAuditContext, type AuditContext, type EventName } from '../../domain/audit/audit-context.ts'
import { maskEmail } from '../../domain/text.ts'
import { Failure, invalidData, type FieldFailures } from '../../domain/failure.ts'

/**
 * Returns the key that failures are counted by. It changes with the password, so a new password clears the failures. Unknown
 * e-mail addresses are counted in the same way.
 */
export function failureSubject(email: string, account: LoginCredentials | undefined): string {
  return account ? `${account.id} ${account.passwordHash}` : email
}

/**
 * Returns the counter of wrong passwords in a day. Networks from which the account logged in recently have counters of their
 * own, so that an attacker cannot lock out the owner.
 */
export function dayCounter(
  email: string,
  account: LoginCredentials | undefined,
  { network }: Pick<Client, 'network'>,
): Counter {
  return countedPerDay(failureSubject(email, account), account, network)
}

function countedPerDay(subject: string, account: LoginCredentials | undefined, network: string): Counter {
  if (!account?.isKnownNetwork) return { policy: RATE_LIMITS['password-day'], key: subject }
  return { policy: RATE_LIMITS['password-known-network-day'], key: `${network} ${subject}` }
}

/** Returns the counters of a wrong password and, if the account has a second factor that the request proves, of a wrong code. */
function attemptCounters(
  { ofPassword, verifyFactor }: { ofPassword: readonly Counter[]; verifyFactor: unknown },
  account: LoginCredentials | undefined,
  { network }: Pick<Client, 'network'>,
): { counters: readonly Counter[]; isFailure: (proof: Attempted, counter: Counter) => boolean } {
  // A new password does not clear this counter: whoever can reset the password can still only guess the code.
  const hasCode = verifyFactor !== passwordAlone && account?.factors
  const ofCode = hasCode ? countedPerDay(`factor ${account.id}`, account, network) : undefined
  return {
    counters: [...ofPassword, ...(ofCode ? [ofCode] : [])],
    isFailure: (proof, counter) => (counter === ofCode ? proof === 'wrong' : isFailed(proof)),
  }
}

/** Returns the counters of a wrong password without an access token. */
export function loginCounters(email: string, account: LoginCredentials | undefined, client: Client): Counter[] {
  const { network } = client
  return [
    { policy: RATE_LIMITS['login-address'], key: network },
    { policy: RATE_LIMITS['login-account'], key: `${network} ${failureSubject(email, account)}` },
    ...wideNetworkCounters(client),
    dayCounter(email, account, client),
  ]
}

/** Returns the counters of failed logins from the wider IPv6 networks of an address. */
export function wideNetworkCounters({ wideNetworks: [per56, per48] }: Pick<Client, 'wideNetworks'>): Counter[] {
  return [
    ...(per56 === undefined ? [] : [{ policy: RATE_LIMITS['login-56'], key: per56 }]),
    ...(per48 === undefined ? [] : [{ policy: RATE_LIMITS['login-48'], key: per48 }]),
  ]
}

type Guess = {
  /** The normalized e-mail address that the password was sent with */
  email: string
  isWrong: boolean
}

/**
 * Counts and records a body that may be a guess of a password like a login. The caller reveals whether it was right only
 * afterwards.
 *
 * @throws Failure 429 `rate_limited` if too many were wrong, also for a right one
 */
export async function countGuess(
  { email, isWrong }: Guess,
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

/** Verifies no second factor, where the password alone is enough. */
export const passwordAlone = (): Promise<FactorProof> => Promise.resolve('not_required')

type Attempted = FactorProof | 'password_wrong'

/** Whether an attempt counts as a failure: a missing code does not. */
function isFailed(proof: Attempted): boolean {
  return proof === 'password_wrong' || proof === 'wrong'
}

type LoginCall = AnyCall & Readonly<{ body: Readonly<{ email: string; password: string }> }>

type ProvenLogin = Readonly<{
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
  { body, client, abandoned, rateLimiter }: LoginCall,
  verifyFactor: (account: LoginCredentials) => Promise<FactorProof>,
  context: Context,
): Promise<ProvenLogin> {
  const { store, passwords } = context
  const { network } = client
  const { email } = body
  const auditContext = toAuditContext(client, maskEmail(email))
  const account = await store.accounts.loginCredentials(email, network)
  const { counters, isFailure } = attemptCounters(
    { ofPassword: loginCounters(email, account, client), verifyFactor },
    account,
    client,
  )
  const proof = await rateLimiter
    .countFailures(
      counters,
      async () => {
        const requester = networkRequester(network, abandoned)
        const matches = await passwords.matches(body.password, account?.passwordHash, requester)
        if (!account || !matches) return 'password_wrong'
        return account.factors ? verifyFactor(account) : 'not_required'
      },
      isFailure,
    )
    .catch((error: unknown) => store.audit.recordRefusal(error, REFUSALS, email, auditContext))
  if (!account || proof === 'password_wrong') return refuseLogin('login_failed', { account, auditContext }, context)
  if (account.status === 'suspended') {
    await store.audit.record({ event: 'login_suspended', accountId: account.id, ...auditContext })
    throw new Failure('account_suspended')
  }
  if (proof === 'wrong') return refuseLogin('mfa_code_failed', { account, auditContext }, context)
  const passwordHash = await renewHash(account, body.password, networkRequester(network, abandoned), context)
  return { account: { ...account, passwordHash }, proof, auditContext }
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

type Given = Readonly<{
  /** Null for a request that the second factor alone proves */
  password: string | null
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
  { password, events }: Given,
  verifyFactor: (account: OwnCredentials) => Promise<FactorProof>,
  context: Context,
): Promise<{ account: OwnCredentials; proof: FactorProof | 'password_wrong' }> {
  const { store, passwords } = context
  const account = await store.accounts.bearerCredentials(bearer, client.network)
  const { accountId } = bearer
  const key = ofAccountAndNetwork({ accountId }, client)
  const about = { ...toAuditContext(client), accountId }
  const requester = accountRequester(accountId, abandoned)
  const ofPassword = [{ policy: RATE_LIMITS['known-password'], key }, dayCounter(account.email, account, client)]
  const { counters, isFailure } = attemptCounters({ ofPassword, verifyFactor }, account, client)
  const proof = await rateLimiter
    .countFailures(
      counters,
      async () => {
        const isWrong = password !== null && !(await passwords.matches(password, account.passwordHash, requester))
        return isWrong ? 'password_wrong' : verifyFactor(account)
      },
      isFailure,
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

/**
 * Rejects an invalid token from an e-mail. It counts like an invalid access token.
 *
 * @param failures the failures of the token and of other fields of the request
 * @throws Failure 422, or 429 `rate_limited`
 */
export async function refuseToken(
  event: EventName,
  failures: FieldFailures,
  { client, rateLimiter }: AnyCall,
  { store }: Context,
): Promise<never> {
  await rateLimiter.consume({ policy: RATE_LIMITS['refused-tokens'], key: client.network })
  await store.audit.record({ event, ...toAuditContext(client) })
  throw invalidData(failures)
}
