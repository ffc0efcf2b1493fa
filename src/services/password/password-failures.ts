import { LIMITS } from '../../../generated/limits.ts'
import type { Client } from '../../contract/operation.ts'
import type { LoginCredentials } from '../../domain/accounts/account.ts'
import type { Counter, Policy } from '../../domain/limits/policy.ts'

const DAY_SECONDS = 24 * 3600

const PER_DAY: Policy = {
  name: 'password-day',
  points: LIMITS.login.failures_per_account_per_day,
  seconds: DAY_SECONDS,
  isHidden: true,
}
const KNOWN_NETWORK_PER_DAY: Policy = { ...PER_DAY, name: 'password-known-network-day' }

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
  if (!account?.isKnownNetwork) return { policy: PER_DAY, key: subject }
  return { policy: KNOWN_NETWORK_PER_DAY, key: `${network} ${subject}` }
}
