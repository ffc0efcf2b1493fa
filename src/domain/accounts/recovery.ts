import type { PersonalDetails } from '../passwords/password.ts'
import type { Phone } from '../phones/phone.ts'

/** An active account that can be recovered through its e-mail address. */
export type RecoverableAccount = Readonly<{
  id: number
  email: string
  /**
   * Whether the address was never verified, or only by a link that was opened without a session of an account with a number or a factor.
   * It may be mistyped, so recovery also requires a code that was sent to the phone number.
   */
  needsCode: boolean
  /** The number that the code is sent to; undefined if no number recovers the account */
  phone: Phone | undefined
}>

/** An account that a token recovers, with the details that its new password must not contain. */
export type RecoverableOwner = RecoverableAccount & Readonly<{ owner: PersonalDetails }>

/**
 * Whether an identifier recovers the account: it was verified, and its waiting period has ended. Only then does it also cancel
 * or undo a change, because one that is newer may be that of an attacker.
 */
export function doesRecover(recoversFrom: Date | null, now: Date): boolean {
  return recoversFrom !== null && recoversFrom <= now
}

/** A reserved domain (RFC 2606, section 2) for accounts whose address was released */
const RELEASED_DOMAIN = '@released.invalid'

export function isReleased(email: string): boolean {
  return email.endsWith(RELEASED_DOMAIN)
}
