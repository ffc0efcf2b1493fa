import type { Phone } from './phone.ts'

/** An active account that the owner of an e-mail address may recover. */
export type Recoverable = Readonly<{
  id: number
  email: string
  /**
   * Whether the address was never verified: it may be mistyped, so it recovers the account only together with a code that
   * was sent to the phone number.
   */
  needsCode: boolean
  /** The number that such a code is sent to; undefined when no number recovers the account */
  phone: Phone | undefined
}>

/** A reserved domain (RFC 2606, section 2): that of an account whose address was released. */
const RELEASED_DOMAIN = '@released.invalid'

export function isReleased(email: string): boolean {
  return email.endsWith(RELEASED_DOMAIN)
}
