import type { CodeEvent } from './otp-limits.ts'

/**
 * The purpose of an SMS code: registration or change of the number, or a password reset. A code is valid for its
 * purpose only.
 */
export type CodePurpose = 'verification' | 'reset'

/** The window of the other purpose. Sends and wrong tries count for the number, over all purposes. */
export type OtherWindow = Pick<
  PhoneVerification,
  'purpose' | 'windowId' | 'state' | 'startedAtMs' | 'expiresAtMs' | 'confirmedAtMs' | 'wrongTries'
>

/**
 * The current code window of a phone number and a purpose: `sent` -> `confirmed` -> `used`. Its code is derived from
 * `windowId`. Times are milliseconds since 1970. `sends` and `wrong` contain the sends and the wrong tries of the last
 * day for any window and purpose.
 */
export type PhoneVerification = Readonly<{
  phone: string
  purpose: CodePurpose
  windowId: string
  state: 'sent' | 'confirmed' | 'used'
  startedAtMs: number
  expiresAtMs: number
  confirmedAtMs: number | undefined
  wrongTries: number
  sends: readonly CodeEvent[]
  wrong: readonly CodeEvent[]
  /** The window of the other purpose, if any */
  other: OtherWindow | undefined
}>
