import { LIMITS } from '../../../generated/limits.ts'
import { lastDay, enforceSendLimits, enforceTryLimits, type CodeEvent } from './otp-limits.ts'

const MINUTE_MS = 60_000
const CONFIRM_MS = LIMITS.otp.confirm_minutes * MINUTE_MS
const USE_MS = LIMITS.otp.use_minutes * MINUTE_MS

type CodeTarget = Pick<PhoneVerification, 'phone' | 'purpose'>

/** The keyed hash of the client's network, and whether the limits of the number apply */
type SendOptions = Readonly<{ by: string; isLimited?: boolean }>

/**
 * Returns the verification after one more send. In its first minutes, and while it is confirmed, the same code is sent again: a
 * late SMS stays valid, tries are not reset, and another client cannot undo a confirmation. A resend extends a code to
 * at most twice its lifetime, which limits guessing (NIST SP 800-63B-4, 3.1.3.2: ten minutes).
 *
 * @param current the verification of the same purpose, with the counts of the number
 * @param options without limits, the send is not recorded in `sends`, so the next code may be sent at once
 * @throws Failure 429 `otp_cooldown`, `otp_send_limit` or `otp_tries_exhausted`
 */
export function send(
  current: PhoneVerification | undefined,
  { phone, purpose }: CodeTarget,
  newWindowId: string,
  nowMs: number,
  { by, isLimited = true }: SendOptions,
): PhoneVerification {
  const sends = lastDay(current?.sends ?? [], nowMs)
  const wrong = lastDay(current?.wrong ?? [], nowMs)
  if (isLimited) enforceSendLimits({ sends }, by, nowMs)
  const events = { sends: isLimited ? [...sends, { atMs: nowMs, by }] : [], wrong }
  enforceTryLimits(events, by, nowMs)

  const expiresAtMs = nowMs + CONFIRM_MS
  if (current && continues(current, nowMs)) return { ...current, ...events, expiresAtMs }
  const begun = createEmptyVerification({ phone, purpose }, nowMs)
  return { ...begun, ...events, windowId: newWindowId, state: 'sent', expiresAtMs, other: current?.other }
}

/** A send that was counted: the verifications before and after it */
export type CountedSend = Readonly<{ before: PhoneVerification | undefined; verification: PhoneVerification }>

/**
 * Returns the verification without a send that every provider rejected. It is as before the send, unless another send or a
 * confirmation followed: a code that was never sent cannot be confirmed. Wrong tries stay counted.
 */
export function withdrawSend(current: PhoneVerification, { before, verification }: CountedSend): PhoneVerification {
  const refused = verification.sends.at(-1)
  const sends = current.sends.filter(({ atMs, by }) => atMs !== refused?.atMs || by !== refused.by)
  if (current.windowId !== verification.windowId || current.expiresAtMs !== verification.expiresAtMs)
    return { ...current, sends }
  if (before?.windowId === verification.windowId) return { ...current, sends, expiresAtMs: before.expiresAtMs }
  const { wrongTries, ...reverted } = windowOf(before ?? createEmptyVerification(current, verification.startedAtMs))
  return { ...current, ...reverted, wrongTries: wrongTries + current.wrongTries, sends }
}

/** `isRepeated`: the right code of a verification that is already confirmed or used. */
export type Decision = { isConfirmed: boolean; isRepeated: boolean; next: PhoneVerification | undefined }

/**
 * Evaluates one attempt to confirm a number. A wrong one is counted in `next`, even without an active code. The decision may be
 * returned only after `next` is stored, so that parallel guesses cannot exceed the limit.
 *
 * @param given whether the code is right, and the keyed hash of the client's network
 * @throws Failure 429 `otp_tries_exhausted`
 */
export function confirm(
  current: PhoneVerification | undefined,
  target: CodeTarget,
  { isRight, by }: { isRight: boolean; by: string },
  nowMs: number,
): Decision {
  const sends = lastDay(current?.sends ?? [], nowMs)
  const wrong = lastDay(current?.wrong ?? [], nowMs)
  enforceTryLimits({ sends, wrong }, by, nowMs)

  if (isUsedAgain(current, isRight)) return { isConfirmed: false, isRepeated: true, next: current }
  if (!isRight || !current || !isConfirmable(current, nowMs)) {
    const verification = current ?? createEmptyVerification(target, nowMs)
    const next = {
      ...verification,
      wrongTries: verification.wrongTries + 1,
      sends,
      wrong: [...wrong, { atMs: nowMs, by }],
    }
    return { isConfirmed: false, isRepeated: false, next }
  }
  if (current.state === 'confirmed') return { isConfirmed: true, isRepeated: true, next: current }
  return { isConfirmed: true, isRepeated: false, next: { ...current, state: 'confirmed', confirmedAtMs: nowMs } }
}

/** Returns whether a send belongs to this verification; otherwise it begins a new one. */
function continues(verification: PhoneVerification, nowMs: number): boolean {
  if (verification.state === 'sent') return nowMs < verification.startedAtMs + CONFIRM_MS
  return isUsable(verification, nowMs)
}

/** A used code is no guess: requests that are sent twice must not exhaust the tries. */
function isUsedAgain(current: PhoneVerification | undefined, isRight: boolean): boolean {
  return isRight && current?.state === 'used'
}

function isConfirmable(verification: PhoneVerification, nowMs: number): boolean {
  return verification.state === 'sent' ? nowMs < verification.expiresAtMs : isUsable(verification, nowMs)
}

function isUsable({ state, confirmedAtMs }: PhoneVerification, nowMs: number): boolean {
  return state === 'confirmed' && confirmedAtMs !== undefined && nowMs < confirmedAtMs + USE_MS
}

/** Creates a verification without a code, which stores the wrong tries of a number. */
function createEmptyVerification(target: CodeTarget, nowMs: number): PhoneVerification {
  return {
    ...target,
    windowId: NO_WINDOW_ID,
    state: 'used',
    startedAtMs: nowMs,
    expiresAtMs: nowMs,
    confirmedAtMs: undefined,
    wrongTries: 0,
    sends: [],
    wrong: [],
    other: undefined,
  }
}

/** The id of a verification that does not exist. Comparing its code takes as long as for a real one, but it never matches. */
export const NO_WINDOW_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the stored verification of a number with the verification of `purpose` as the current one. A send for one purpose
 * leaves the verification of the other one unchanged.
 */
export function verificationOf(
  stored: PhoneVerification | undefined,
  purpose: CodePurpose,
): PhoneVerification | undefined {
  if (!stored || stored.purpose === purpose) return stored
  const other = windowOf(stored)
  // undefined members are not stored
  if (stored.other) return { ...stored, ...stored.other, confirmedAtMs: stored.other.confirmedAtMs, other }
  return { ...stored, purpose, windowId: NO_WINDOW_ID, state: 'used', confirmedAtMs: undefined, wrongTries: 0, other }
}

/** Returns what a verification does not share with that of the other purpose. */
function windowOf(verification: PhoneVerification): OtherWindow {
  const { purpose, windowId, state, startedAtMs, expiresAtMs, confirmedAtMs, wrongTries } = verification
  return { purpose, windowId, state, startedAtMs, expiresAtMs, confirmedAtMs, wrongTries }
}

/**
 * The purpose of an SMS code: registration or change of the number, or a password reset. A code is valid for its
 * purpose only.
 */
export type CodePurpose = 'verification' | 'reset'

/**
 * What a code is for. One that resets the second factors belongs to the verification of a password reset, with its limits and its
 * validity, but is another code.
 */
export type CodeUse = CodePurpose | 'factor_reset'

/** The verification of the other purpose. Sends and wrong tries count for the number, over all purposes. */
export type OtherWindow = Pick<
  PhoneVerification,
  'purpose' | 'windowId' | 'state' | 'startedAtMs' | 'expiresAtMs' | 'confirmedAtMs' | 'wrongTries'
>

/**
 * The current code verification of a phone number and a purpose: `sent` -> `confirmed` -> `used`. Its code is derived from
 * `windowId`. Times are milliseconds since 1970. `sends` and `wrong` contain the sends and the wrong tries of the last
 * day for any verification and purpose.
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
  /** The verification of the other purpose, if any */
  other: OtherWindow | undefined
}>
