import { asciiDigits } from './phone.ts'
import type { Account, Bearer, Credentials } from './account.ts'
import { normaliseEmail } from './account.ts'
import { folded } from './lookups.ts'
import type { Person, Profile, ReviewStatus } from './profile.ts'
import type { Trace } from './trace.ts'

/** Who administers: somebody by their token, or an operator on the server. */
export type Actor = Bearer | 'command line'

/** What is done to an account, by whom and why. */
export type Deed = Readonly<{ accountId: number; actor: Actor; reason: string | null; trace: Trace }>

export type AccountStatus = Credentials['status']

/** An account besides its profile. */
export type AccountState = Readonly<{
  id: number
  status: AccountStatus
  isAdmin: boolean
  createdAt: Date
  suspendedAt: Date | null
  suspensionReason: string | null
  /** On how many devices it is logged in */
  sessions: number
}>

/** A user as the list has them; `nationalId` and `gender` tell whether the profile is complete. */
export type UserRow = Account &
  Pick<Profile, 'phone' | 'phoneCode' | 'phoneVerified' | 'gender'> &
  Pick<Person, 'name'> &
  Readonly<{
    status: AccountStatus
    createdAt: Date
    nationalId: string | null
    /** null for clients */
    reviewStatus: ReviewStatus | null
  }>

/** A search as each of the texts of a user is compared with it. */
export type UserSearch = Readonly<{
  /** Folded */
  name: string
  email: string
  /** Those of a number, without what stands before it; undefined where the search is no number */
  digits: string | undefined
}>

const NUMBER = /^[+\d\s().-]+$/

/** What a search asks for; undefined when it asks for nothing. */
export function userSearch(text: string): UserSearch | undefined {
  const asked = asciiDigits(text.trim())
  const name = folded(asked)
  if (name === '') return undefined
  const digits = NUMBER.test(asked) ? asked.replaceAll(/\D/g, '').replace(/^0+/, '') : ''
  return { name, email: normaliseEmail(asked), digits: digits === '' ? undefined : digits }
}

/** What a search looks like, for the audit trail, which does not store its text. */
export function kindOfSearch({ email, digits }: UserSearch): 'email' | 'phone' | 'text' {
  if (digits !== undefined) return 'phone'
  return email.includes('@') ? 'email' : 'text'
}
