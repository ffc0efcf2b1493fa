// Rows of phone_verifications that belong to no number. A wrong code is counted only where a window is live; elsewhere one
// of these is written in its place, so that the time of a response does not tell whether a code is live. There are many,
// so that requests seldom wait for each other, and no more, whatever numbers are invented.
import { randomInt, randomUUID } from 'node:crypto'
import type { PhoneVerification } from '../domain/phone-verification.ts'

/** As many as the migration `decoys` made */
const DECOYS = 1024
/** Of every decoy, always: writes to the same one do not conflict. */
export const DECOY_VERSION = 1
/** As the migration has it: an index that does not change keeps the write as small as that of a wrong try. */
const EXPIRES_AT_MS = Date.UTC(9999, 11, 31)

/** Returns the name of a decoy, which is the phone number of none. */
export function randomDecoy(): string {
  return `decoy-${randomInt(DECOYS)}`
}

/** Returns a state of a decoy that is as large as a window with one wrong try. */
export function decoyAt(decoy: string, nowMs: number): PhoneVerification {
  return {
    phone: decoy,
    purpose: 'verification',
    windowId: randomUUID(),
    state: 'sent',
    startedAtMs: nowMs,
    expiresAtMs: EXPIRES_AT_MS,
    confirmedAtMs: undefined,
    wrongTries: 1,
    sentAtMs: [nowMs],
    wrongAtMs: [nowMs],
    other: undefined,
  }
}
