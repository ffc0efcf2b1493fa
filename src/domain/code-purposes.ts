import type { PhoneVerification } from './phone-verification.ts'

/** What a code by SMS is for: a registration or a change of the number, or a new password. One cannot serve the other. */
export type CodePurpose = 'verification' | 'reset'

/** The window of the other purpose. Sends and wrong tries of the last day count for the number, over all purposes. */
export type OtherWindow = Pick<
  PhoneVerification,
  'purpose' | 'windowId' | 'state' | 'startedAtMs' | 'expiresAtMs' | 'confirmedAtMs' | 'wrongTries'
>

/** Stands for a window that does not exist: its code is compared in the same time, and is never accepted. */
export const NO_WINDOW_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Returns what is stored for a number with the window of one purpose as the current one. Neither purpose disturbs the
 * other: a send for one leaves the window of the other as it is.
 */
export function windowFor(stored: PhoneVerification | undefined, purpose: CodePurpose): PhoneVerification | undefined {
  if (!stored || stored.purpose === purpose) return stored
  const other = otherWindowOf(stored)
  // a member that is undefined is not stored
  if (stored.other) return { ...stored, ...stored.other, confirmedAtMs: stored.other.confirmedAtMs, other }
  return { ...stored, purpose, windowId: NO_WINDOW_ID, state: 'used', confirmedAtMs: undefined, wrongTries: 0, other }
}

function otherWindowOf(stored: PhoneVerification): OtherWindow {
  const { purpose, windowId, state, startedAtMs, expiresAtMs, confirmedAtMs, wrongTries } = stored
  return { purpose, windowId, state, startedAtMs, expiresAtMs, confirmedAtMs, wrongTries }
}
