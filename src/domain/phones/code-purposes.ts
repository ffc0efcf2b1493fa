import type { CodePurpose, OtherWindow, PhoneVerification } from './code-window.ts'

/** The id of a window that does not exist. Comparing its code takes as long as for a real one, but it never matches. */
export const NO_WINDOW_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the stored verification of a number with the window of `purpose` as the current one. A send for one purpose
 * leaves the window of the other one unchanged.
 */
export function windowFor(stored: PhoneVerification | undefined, purpose: CodePurpose): PhoneVerification | undefined {
  if (!stored || stored.purpose === purpose) return stored
  const other = toOtherWindow(stored)
  // undefined members are not stored
  if (stored.other) return { ...stored, ...stored.other, confirmedAtMs: stored.other.confirmedAtMs, other }
  return { ...stored, purpose, windowId: NO_WINDOW_ID, state: 'used', confirmedAtMs: undefined, wrongTries: 0, other }
}

function toOtherWindow(stored: PhoneVerification): OtherWindow {
  const { purpose, windowId, state, startedAtMs, expiresAtMs, confirmedAtMs, wrongTries } = stored
  return { purpose, windowId, state, startedAtMs, expiresAtMs, confirmedAtMs, wrongTries }
}
