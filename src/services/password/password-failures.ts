import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Client } from '../../contract/operation.ts'
import type { LoginCredentials } from '../../domain/accounts/account.ts'
import type { Counter } from '../../domain/limits/policy.ts'

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
  const subject = failureSubject(email, account)
  if (!account?.isKnownNetwork) return { policy: RATE_LIMITS['password-day'], key: subject }
  return { policy: RATE_LIMITS['password-known-network-day'], key: `${network} ${subject}` }
}

/** Returns the counters of a wrong password without an access token. */
export function loginCounters(email: string, account: LoginCredentials | undefined, client: Client): Counter[] {
  const { network, wideNetworks } = client
  const [per56, per48] = wideNetworks
  return [
    { policy: RATE_LIMITS['login-address'], key: network },
    { policy: RATE_LIMITS['login-account'], key: `${network} ${failureSubject(email, account)}` },
    ...(per56 === undefined ? [] : [{ policy: RATE_LIMITS['login-56'], key: per56 }]),
    ...(per48 === undefined ? [] : [{ policy: RATE_LIMITS['login-48'], key: per48 }]),
    dayCounter(email, account, client),
  ]
}
