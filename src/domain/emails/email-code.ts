// Limits of the messages that verify an e-mail address, and the lifetime of their codes. Times are milliseconds since
// 1970.
import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../failure.ts'
import { buildResetLink } from '../passwords/password.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The code that was last sent to verify an address of an account. */
export type EmailCode = Readonly<{
  email: string
  /** Null if the code was used or is no longer accepted */
  windowId: string | null
  expiresAtMs: number
  wrongTries: number
  /** Times of the messages of the last day to any address, oldest first */
  sentAtMs: readonly number[]
}>

/**
 * Returns the code after one more message. A code of the same address that is still valid is sent again, so that a late
 * message is valid too, and its tries are not reset.
 *
 * @throws Failure 429 `rate_limited`
 */
export function sendEmailCode(
  current: EmailCode | undefined,
  { email, newWindowId, nowMs }: { email: string; newWindowId: string; nowMs: number },
): EmailCode & { windowId: string } {
  const sentAtMs = (current?.sentAtMs ?? []).filter((at) => at > nowMs - DAY_MS)
  const isSameAddress = current?.email === email
  enforceSendLimits(sentAtMs, isSameAddress, nowMs)

  const { wrong_per_window: triesMax } = LIMITS.email
  const isAccepted = isSameAddress && current.expiresAtMs > nowMs && current.wrongTries < triesMax
  const isSentAgain = isAccepted && current.windowId !== null
  return {
    email,
    windowId: isSentAgain ? current.windowId : newWindowId,
    wrongTries: isSentAgain ? current.wrongTries : 0,
    expiresAtMs: nowMs + LIMITS.email.code_minutes * MINUTE_MS,
    sentAtMs: [...sentAtMs, nowMs],
  }
}

function enforceSendLimits(sentAtMs: readonly number[], isSameAddress: boolean, nowMs: number): void {
  const { cooldown_seconds, sends_per_hour, sends_per_day } = LIMITS.email
  const nthLast = (n: number): number => sentAtMs.at(-n) ?? 0
  const untilMs = Math.max(
    isSameAddress ? nthLast(1) + cooldown_seconds * 1000 : 0,
    nthLast(sends_per_hour) + HOUR_MS,
    nthLast(sends_per_day) + DAY_MS,
  )
  if (untilMs <= nowMs) return
  throw new Failure('rate_limited', { retryAfterSeconds: Math.ceil((untilMs - nowMs) / 1000) })
}

/** What the page of a link does with its token. Links that set a new password have no action. */
export const EMAIL_LINK_ACTIONS = ['confirm', 'cancel', 'confirm-factor-reset', 'cancel-factor-reset'] as const

/** Adds a token and an action to the fragment of a page's URL, if there is a page: `#token=…&action=cancel`. */
export function buildEmailLink(
  page: string | undefined,
  token: string,
  action: (typeof EMAIL_LINK_ACTIONS)[number],
): string {
  return page === undefined ? token : `${buildResetLink(page, token)}&action=${action}`
}
