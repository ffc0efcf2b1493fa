import { cleanInput } from '../inputs.ts'
import type { Account, Bearer, Credentials } from './account.ts'
import { foldText } from '../lookups/lookups.ts'
import type { Person, Profile, ReviewStatus } from '../profiles/profile.ts'
import type { AuditContext } from '../audit/audit-context.ts'

/** An administrator by access token, or an operator on the server. */
export type Actor = Bearer | 'command line'

export type AdminAction = Readonly<{
  accountId: number
  actor: Actor
  reason: string | null
  auditContext: AuditContext
}>

export type AccountStatus = Credentials['status']

/** The state of an account, without its profile. */
export type AccountState = Readonly<{
  id: number
  status: AccountStatus
  isAdmin: boolean
  createdAt: Date
  suspendedAt: Date | null
  suspensionReason: string | null
  /** The number of active sessions */
  sessions: number
}>

/** A user in the list of users. `nationalId` and `gender` show whether the profile is complete. */
export type UserRow = Account &
  Pick<Profile, 'phone' | 'phoneCode' | 'phoneVerified' | 'gender'> &
  Pick<Person, 'name'> &
  Readonly<{
    status: AccountStatus
    createdAt: Date
    nationalId: string | null
    /** Null for clients */
    reviewStatus: ReviewStatus | null
  }>

/** A search, in the form in which each text of a user is compared with it. */
export type UserSearch = Readonly<{
  /** Folded, see `foldText` */
  name: string
  email: string
  /** The digits of a number without its prefix; undefined if the search is not a number */
  digits: string | undefined
}>

const NUMBER = /^[+\d\s().-]+$/

/** Parses a search, which is cleaned; undefined if it is empty. */
export function parseUserSearch(query: string): UserSearch | undefined {
  const name = foldText(query)
  if (name === '') return undefined
  const digits = NUMBER.test(query) ? query.replaceAll(/\D/g, '').replace(/^0+/, '') : ''
  return { name, email: cleanInput('email', query), digits: digits === '' ? undefined : digits }
}

/** Classifies a search for the audit trail, which does not store its text. */
export function classifySearch({ email, digits }: UserSearch): 'email' | 'phone' | 'text' {
  if (digits !== undefined) return 'phone'
  return email.includes('@') ? 'email' : 'text'
}
