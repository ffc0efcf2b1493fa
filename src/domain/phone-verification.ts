import { LIMITS } from '../../generated/limits.ts'
import type { CodePurpose, OtherWindow } from './code-purposes.ts'
import { lastDay, refuse, refuseTooManySends, refuseTooManyTries } from './otp-limits.ts'

const MINUTE_MS = 60_000
const CONFIRM_MS = LIMITS.otp.confirm_minutes * MINUTE_MS
const USE_MS = LIMITS.otp.use_minutes * MINUTE_MS

/**
 * The one live window of a phone number for a purpose: `sent` -> `confirmed` -> `used`. Its code is derived from `windowId`.
 * Times are milliseconds since 1970; `sentAtMs` and `wrongAtMs` hold the sends and the wrong tries of the last day, for
 * every purpose.
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
  sentAtMs: readonly number[]
  wrongAtMs: readonly number[]
  /** The window of the other purpose, if there was one */
  other: OtherWindow | undefined
}>

/** The number that a code is sent to, and what the code is for */
type Addressee = Pick<PhoneVerification, 'phone' | 'purpose'>

/**
 * The window after one more send. Inside the first minutes of a window, and while it is confirmed, the same code is sent
 * again: a late SMS still holds the right one, tries are not given anew, and whoever asks for a code cannot undo the
 * confirmation of somebody else. So that no code can be guessed at for longer, a resend never prolongs a code beyond
 * twice its time (NIST SP 800-63B-4, 3.1.3.2: ten minutes).
 *
 * @param current the window of the same purpose, which carries the counts of the number
 * @param newWindowId the window to open when none can go on
 * @param isLimited whether the cooldown and the limits of a number apply. A send to which they do not apply leaves no
 *   record in `sentAtMs`, so the next code may be sent at once.
 * @throws Failure 429 `otp_cooldown`, `otp_send_limit` or `otp_tries_exhausted`
 */
export function send(
  current: PhoneVerification | undefined,
  { phone, purpose }: Addressee,
  newWindowId: string,
  nowMs: number,
  isLimited = true,
): PhoneVerification {
  const sentAtMs = lastDay(current?.sentAtMs ?? [], nowMs)
  const wrongAtMs = lastDay(current?.wrongAtMs ?? [], nowMs)
  if (isLimited) refuseTooManySends(sentAtMs, nowMs)
  refuseTooManyTries(wrongAtMs, nowMs)

  const kept = { sentAtMs: isLimited ? [...sentAtMs, nowMs] : [], wrongAtMs }
  if (current && goesOn(current, nowMs)) {
    if (!isDead(current)) return { ...current, ...kept, expiresAtMs: nowMs + CONFIRM_MS }
    refuse('otp_tries_exhausted', current.startedAtMs + CONFIRM_MS, nowMs)
  }
  return {
    phone,
    purpose,
    windowId: newWindowId,
    state: 'sent',
    startedAtMs: nowMs,
    expiresAtMs: nowMs + CONFIRM_MS,
    confirmedAtMs: undefined,
    wrongTries: 0,
    ...kept,
    other: current?.other,
  }
}

/** The window without a send that every provider refused. */
export function withdrawSend(current: PhoneVerification, sentAtMs: number | undefined): PhoneVerification {
  return { ...current, sentAtMs: current.sentAtMs.filter((each) => each !== sentAtMs) }
}

/** `isRepeated`: the right code again, of which nothing is new. */
export type Verdict = { isConfirmed: boolean; isRepeated: boolean; next: PhoneVerification | undefined }

/**
 * Judges one try to confirm the window. A wrong try is counted in `next`, and the verdict may be told only once `next`
 * is stored: of any number of parallel guesses, no more are answered than the window has tries.
 *
 * @throws Failure 429 `otp_tries_exhausted` when the window or the day has no tries left
 */
export function confirm(current: PhoneVerification | undefined, isRight: boolean, nowMs: number): Verdict {
  if (!current || !isConfirmable(current, nowMs)) return { isConfirmed: false, isRepeated: false, next: current }
  const wrongAtMs = lastDay(current.wrongAtMs, nowMs)
  refuseTooManyTries(wrongAtMs, nowMs)
  if (isDead(current)) refuse('otp_tries_exhausted', Math.max(current.startedAtMs + CONFIRM_MS, nowMs + 1), nowMs)

  if (!isRight) {
    const next = { ...current, wrongTries: current.wrongTries + 1, wrongAtMs: [...wrongAtMs, nowMs] }
    return { isConfirmed: false, isRepeated: false, next }
  }
  if (current.state === 'confirmed') return { isConfirmed: true, isRepeated: true, next: current }
  return { isConfirmed: true, isRepeated: false, next: { ...current, state: 'confirmed', confirmedAtMs: nowMs } }
}

/** Whether a send belongs to this window, or begins another one. */
function goesOn(window: PhoneVerification, nowMs: number): boolean {
  if (window.state === 'sent') return nowMs < window.startedAtMs + CONFIRM_MS
  return isUsable(window, nowMs)
}

function isConfirmable(window: PhoneVerification, nowMs: number): boolean {
  return window.state === 'sent' ? nowMs < window.expiresAtMs : isUsable(window, nowMs)
}

function isUsable({ state, confirmedAtMs }: PhoneVerification, nowMs: number): boolean {
  return state === 'confirmed' && confirmedAtMs !== undefined && nowMs < confirmedAtMs + USE_MS
}

/** A window whose tries are used up stays dead until another one may begin. */
function isDead({ wrongTries }: PhoneVerification): boolean {
  return wrongTries >= LIMITS.otp.wrong_per_window
}
