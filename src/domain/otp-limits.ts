// How often a number may be sent a code, and how many wrong codes may be tried for it. Times are milliseconds since 1970.
import { LIMITS } from '../../generated/limits.ts'
import { Failure } from './failure.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Times = readonly number[]

/** Why no code may be sent now */
type SendLimit = 'otp_send_limit' | 'otp_cooldown'

/**
 * Rejects a send that comes too soon after those before it.
 *
 * @param sentAtMs the sends of the last day, oldest first
 * @throws Failure 429 `otp_cooldown` or `otp_send_limit`
 */
export function refuseTooManySends(sentAtMs: Times, nowMs: number): void {
  const limit = sendLimitAt(sentAtMs, nowMs)
  if (limit) refuse(limit, nextSendAtMs(sentAtMs, nowMs), nowMs)
}

/** Rejects a try, or a send, while the wrong tries of the last day are as many as a day may have. */
export function refuseTooManyTries(wrongAtMs: Times, nowMs: number): void {
  const [oldest] = wrongAtMs.slice(-LIMITS.otp.wrong_per_day)
  const isFull = oldest !== undefined && wrongAtMs.length >= LIMITS.otp.wrong_per_day
  if (isFull) refuse('otp_tries_exhausted', oldest + DAY_MS, nowMs)
}

export function refuse(code: SendLimit | 'otp_tries_exhausted', untilMs: number, nowMs: number): void {
  if (untilMs > nowMs) throw new Failure(code, { retryAfterSeconds: secondsUntil(untilMs, nowMs) })
}

/**
 * Returns in how many whole seconds the next code may be sent to a number; 0 if it may be sent at once.
 *
 * @param sentAtMs the sends of the last day, oldest first
 */
export function secondsToNextSend(sentAtMs: Times, nowMs: number): number {
  return secondsUntil(nextSendAtMs(sentAtMs, nowMs), nowMs)
}

/** Returns the part of the events that happened in the last 24 hours. */
export function lastDay(events: Times, nowMs: number): Times {
  return events.filter((at) => at > nowMs - DAY_MS)
}

/**
 * The first moment at which no limit applies. Time only ever lifts limits, and it does so when a cooldown after the last
 * send ends or when a send leaves the last hour or the last day: one of these moments it is.
 */
function nextSendAtMs(sentAtMs: Times, nowMs: number): number {
  const last = sentAtMs.at(-1) ?? 0
  const moments = [
    nowMs,
    ...LIMITS.otp.cooldown_seconds.map((seconds) => last + seconds * 1000),
    ...sentAtMs.flatMap((at) => [at + HOUR_MS, at + DAY_MS]),
  ]
  const allowed = moments.filter((at) => at >= nowMs && sendLimitAt(sentAtMs, at) === undefined)
  return Math.min(...allowed)
}

/** The one place that decides whether a code may be sent. */
function sendLimitAt(sentAtMs: Times, nowMs: number): SendLimit | undefined {
  const { sends_per_day: perDay, sends_per_hour: perHour, cooldown_seconds: cooldowns } = LIMITS.otp
  const inLastHour = sentAtMs.filter((at) => at > nowMs - HOUR_MS)
  if (lastDay(sentAtMs, nowMs).length >= perDay || inLastHour.length >= perHour) return 'otp_send_limit'
  const cooldownSeconds = cooldowns[Math.min(inLastHour.length, cooldowns.length) - 1] ?? 0
  return nowMs < (inLastHour.at(-1) ?? 0) + cooldownSeconds * 1000 ? 'otp_cooldown' : undefined
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.ceil((atMs - nowMs) / 1000)
}
