import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Client } from '../../contract/operation.ts'
import type { LoginCredentials } from '../../domain/accounts/account.ts'
import { parseFactorCode, type FactorProof } from '../../domain/factors/second-factor.ts'
import { ofAccountAndNetwork, type Counter } from '../../domain/rate-limiter.ts'

/** An account that a request names */
type Known = Pick<LoginCredentials, 'id' | 'passwordHash' | 'isKnownNetwork'>

/**
 * Returns the key that failures are counted by. It changes with the password, so a new password clears the failures. Unknown
 * e-mail addresses are counted in the same way.
 */
export function failureSubject(email: string, account: Known | undefined): string {
  return account ? `${account.id} ${account.passwordHash}` : email
}

/**
 * Returns the counters of a wrong password without an access token. A network that the account knows is counted, but rejected by
 * the counter of the account there alone, so that neither other people behind it nor attackers elsewhere lock out the owner.
 */
export function loginCounters(email: string, account: Known | undefined, client: Client): Counter[] {
  const subject = failureSubject(email, account)
  return [
    ...networkCounters(client, account),
    { policy: RATE_LIMITS['login-account'], key: `${client.network} ${subject}` },
    ...(account?.isKnownNetwork ? [] : [{ policy: RATE_LIMITS['password-day'], key: subject }]),
  ]
}

const OF_NETWORKS = [RATE_LIMITS['login-address'], RATE_LIMITS['login-56'], RATE_LIMITS['login-48']]

/** Returns the counters of failed logins of a network, and of the wider networks of an IPv6 address. */
export function networkCounters({ network, wideNetworks }: Client, account: Known | undefined): Counter[] {
  const onlyCounts = account?.isKnownNetwork
  const keys = [network, ...wideNetworks]
  return keys.flatMap((key, at) => OF_NETWORKS.slice(at, at + 1).map((policy) => ({ policy, key, onlyCounts })))
}

/** The second factor of a request: its code, if any. Undefined where the password alone is enough. */
export type GivenFactor = Readonly<{ code: string | undefined }> | undefined

/**
 * Returns the counter of a wrong code. A new password does not clear it: a person who can reset the password can still only guess
 * the code. Recovery codes are too long to be guessed, and wrong tries elsewhere never reject them.
 */
export function codeCounters(given: GivenFactor, account: LoginCredentials | undefined, network: string): Counter[] {
  const isGuessable = given?.code !== undefined && parseFactorCode(given.code)?.method !== 'recovery_code'
  if (!isGuessable || !account?.factors) return []
  const { id, isProvenNetwork } = account
  if (!isProvenNetwork) return [{ policy: RATE_LIMITS['code-day'], key: `${id}` }]
  return [{ policy: RATE_LIMITS['code-known-network'], key: ofAccountAndNetwork({ accountId: id }, { network }) }]
}

/** Returns the counters of a wrong password or code with an access token. The password is null if only the code can be wrong. */
export function ownCounters(
  account: LoginCredentials,
  { password, factor }: Readonly<{ password: string | null; factor?: GivenFactor }>,
  client: Client,
): Counter[] {
  const isOfDay = password !== null && !account.isKnownNetwork
  return [
    { policy: RATE_LIMITS['known-password'], key: ofAccountAndNetwork({ accountId: account.id }, client) },
    ...(isOfDay ? [{ policy: RATE_LIMITS['password-day'], key: failureSubject(account.email, account) }] : []),
    ...codeCounters(factor, account, client.network),
  ]
}

export type Attempted = FactorProof | 'password_wrong'

/** Whether an attempt counts as a failure: a missing code does not. */
export function isFailed(proof: Attempted): boolean {
  return proof === 'password_wrong' || proof === 'wrong'
}

/** Whether an attempt counts in a counter. A wrong code is no wrong password for the limit of all networks, and the reverse. */
export function isFailureIn(proof: Attempted, { policy: { name } }: Counter): boolean {
  if (name === 'password-day') return proof === 'password_wrong'
  return name.startsWith('code-') ? proof === 'wrong' : isFailed(proof)
}
