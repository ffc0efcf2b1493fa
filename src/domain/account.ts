import type { components } from '../../generated/types.ts'
import type { RecentAuthentication } from './recent-authentication.ts'

export type AccountType = components['schemas']['Account']['account_type']

/** An account as its owner may see it: its session is alive and it is not suspended. */
export type Account = Readonly<{ id: number; email: string; accountType: AccountType; isAdmin: boolean }>

/** What a login is checked against. */
export type Credentials = Readonly<{
  id: number
  email: string
  passwordHash: string
  status: 'active' | 'suspended'
}>

/** What a password is checked against, and whether the account logged in lately from the network that asks. */
export type LoginCredentials = Credentials & Readonly<{ isKnownNetwork: boolean }>

/** What a verified access token says: the account, and the session that must still be alive. */
export type Bearer = Readonly<{
  accountId: number
  sessionId: string
  /** What the operation requires of the session, where it requires something */
  recent?: RecentAuthentication
}>

/** Two addresses that differ in case or in surrounding spaces are one. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}
