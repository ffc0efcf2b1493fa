import { LIMITS } from '../../../generated/limits.ts'
import type { Client } from '../../contract.ts'
import type { LoginCredentials } from '../../domain/account.ts'
import type { Counter, Policy } from '../../domain/limit.ts'

const DAY_SECONDS = 24 * 3600

const PER_DAY: Policy = {
  name: 'password-day',
  points: LIMITS.login.failures_per_account_per_day,
  seconds: DAY_SECONDS,
  isHidden: true,
}
const KNOWN_NETWORK_PER_DAY: Policy = { ...PER_DAY, name: 'password-known-network-day' }

/**
 * Names the account in the keys of failures. The name changes with the password, so a new one clears the failures of the
 * old one. An e-mail address that no account has is counted like the others.
 */
export function failureSubject(email: string, account: LoginCredentials | undefined): string {
  return account ? `${account.id} ${account.passwordHash}` : email
}

/**
 * The wrong passwords of a day. Those from a network that the account logged in from lately are counted apart, so that
 * nobody elsewhere can lock out the owner.
 */
export function failuresOfDay(
  email: string,
  account: LoginCredentials | undefined,
  { network }: Pick<Client, 'network'>,
): Counter {
  const subject = failureSubject(email, account)
  if (!account?.isKnownNetwork) return { policy: PER_DAY, key: subject }
  return { policy: KNOWN_NETWORK_PER_DAY, key: `${network} ${subject}` }
}
