import { LIMITS } from '../../generated/limits.ts'
import { NO_WINDOW_ID, type CodePurpose, type OtherWindow } from './code-purposes.ts'
import { lastDay, refuseTooManySends, refuseTooManyTries, type CodeEvent } from './otp-limits.ts'

const MINUTE_MS = 60_000
const CONFIRM_MS = LIMITS.otp.confirm_minutes * MINUTE_MS
const USE_MS = LIMITS.otp.use_minutes * MINUTE_MS

/**
 * The one live window of a phone number for a purpose: `sent` -> `confirmed` -> `used`. Its code is derived from `windowId`.
 * Times are milliseconds since 1970; `sends` and `wrong` hold the sends and the wrong tries of the last day, whatever the
 * window and its purpose.
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
  /** The window of the other purpose, if there was one */
  other: OtherWindow | undefined
}>

/** The number that a code is sent to, and what the code is for */
type Addressee = Pick<PhoneVerification, 'phone' | 'purpose'>

/** The network that asks, as a keyed hash, and whether the cooldown and the limits of a number apply */
type Asking = Readonly<{ by: string; isLimited?: boolean }>

/**
 * The window after one more send. Inside the first minutes of a window, and while it is confirmed, the same code is sent
 * again: a late SMS still holds the right one, tries are not given anew, and whoever asks for a code cannot undo the
 * confirmation of somebody else. So that no code can be guessed at for longer, a resend never prolongs a code beyond
 * twice its time (NIST SP 800-63B-4, 3.1.3.2: ten minutes).
 *
 * @param current the window of the same purpose, which carries the counts of the number
 * @param newWindowId the window to open when none can go on
 * @param asking a send to which no limits apply leaves no record in `sends`, so the next code may be sent at once
 * @throws Failure 429 `otp_cooldown`, `otp_send_limit` or `otp_tries_exhausted`
 */
export function send(
  current: PhoneVerification | undefined,
  { phone, purpose }: Addressee,
  newWindowId: string,
  nowMs: number,
  { by, isLimited = true }: Asking,
): PhoneVerification {
  const sends = lastDay(current?.sends ?? [], nowMs)
  const wrong = lastDay(current?.wrong ?? [], nowMs)
  if (isLimited) refuseTooManySends({ sends }, by, nowMs)
  const kept = { sends: isLimited ? [...sends, { atMs: nowMs, by }] : [], wrong }
  refuseTooManyTries(kept, by, nowMs)

  if (current && goesOn(current, nowMs)) return { ...current, ...kept, expiresAtMs: nowMs + CONFIRM_MS }
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
export function withdrawSend(current: PhoneVerification, send: CodeEvent | undefined): PhoneVerification {
  return { ...current, sends: current.sends.filter(({ atMs, by }) => atMs !== send?.atMs || by !== send.by) }
}

/** `isRepeated`: the right code again, of which nothing is new. */
export type Verdict = { isConfirmed: boolean; isRepeated: boolean; next: PhoneVerification | undefined }

/**
 * Judges one try to confirm a number. A wrong try is counted in `next`, whether a code is live or not, and the verdict may
 * be told only once `next` is stored: of any number of parallel guesses, no more are answered than there are tries.
 *
 * @param given whether the code is that of the window, and the network that gave it
 * @throws Failure 429 `otp_tries_exhausted`
 */
export function confirm(
  current: PhoneVerification | undefined,
  addressee: Addressee,
  { isRight, by }: { isRight: boolean; by: string },
  nowMs: number,
): Verdict {
  const sends = lastDay(current?.sends ?? [], nowMs)
  const wrong = lastDay(current?.wrong ?? [], nowMs)
  refuseTooManyTries({ sends, wrong }, by, nowMs)

  if (!isRight || !current || !isConfirmable(current, nowMs)) {
    const window = current ?? noWindow(addressee, nowMs)
    const next = { ...window, wrongTries: window.wrongTries + 1, sends, wrong: [...wrong, { atMs: nowMs, by }] }
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

/** Holds the wrong tries of a number that no code was sent to. */
function noWindow(addressee: Addressee, nowMs: number): PhoneVerification {
  return {
    ...addressee,
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
