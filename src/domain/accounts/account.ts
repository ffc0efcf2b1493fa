import type { components } from '../../../generated/types.ts'
import type { PersonalDetails } from '../passwords/password.ts'
import type { RecentAuthentication } from '../sessions/recent-authentication.ts'

export type AccountType = components['schemas']['Account']['account_type']

/** An account as its owner sees it. Its session is active and it is not suspended. */
export type Account = Readonly<{ id: number; email: string; accountType: AccountType; isAdmin: boolean }>

/** The data that a login is verified with. */
export type Credentials = Readonly<{
  id: number
  email: string
  passwordHash: string
  status: 'active' | 'suspended'
}>

/** Credentials, and whether the account logged in recently from the network of the client. */
export type LoginCredentials = Credentials & Readonly<{ isKnownNetwork: boolean }>

/** The credentials of the caller, with the details that a new password must not contain. */
export type OwnCredentials = LoginCredentials & Readonly<{ owner: PersonalDetails }>

/** The claims of a verified access token: the account, and the session, which must still be active. */
export type Bearer = Readonly<{
  accountId: number
  sessionId: string
  /** The recent authentication that the operation requires, if any */
  recent?: RecentAuthentication
}>

/** Returns the form in which e-mail addresses are stored and compared: lower case, without surrounding spaces. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}
