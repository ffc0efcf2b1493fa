// Limits of the codes sent to a number, and of the wrong codes tried for it. Each network has a share of both that
// other networks cannot use up; the rest is shared. Times are milliseconds since 1970.
import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../failure.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const TRIES_MS = LIMITS.otp.wrong_minutes * MINUTE_MS

/** A send or a wrong try, with the network that caused it, as a keyed hash. */
export type CodeEvent = Readonly<{ atMs: number; by: string }>

/** The sends and the wrong tries of a number in the last day, oldest first */
export type CodeHistory = Readonly<{ sends: readonly CodeEvent[]; wrong: readonly CodeEvent[] }>

type SendLimit = 'otp_send_limit' | 'otp_cooldown'

/** @throws Failure 429 `otp_cooldown` or `otp_send_limit` */
export function enforceSendLimits({ sends }: Pick<CodeHistory, 'sends'>, by: string, nowMs: number): void {
  const limit = sendLimitAt(sends, by, nowMs)
  if (limit) throw new Failure(limit, { retryAfterSeconds: secondsToNextSend({ sends }, by, nowMs) })
}

/**
 * Rejects a try or a send of a network that has no tries left. This depends only on earlier sends and tries, so a
 * rejection does not reveal whether a code is active.
 *
 * @throws Failure 429 `otp_tries_exhausted`
 */
export function enforceTryLimits(history: CodeHistory, by: string, nowMs: number): void {
  if (mayTryAt(history, by, nowMs)) return
  const moments = history.wrong.flatMap(({ atMs }) => [atMs + TRIES_MS, atMs + DAY_MS])
  const allowed = moments.filter((atMs) => atMs > nowMs && mayTryAt(history, by, atMs))
  const untilMs = Math.min(nowMs + DAY_MS, ...allowed)
  throw new Failure('otp_tries_exhausted', { retryAfterSeconds: secondsUntil(untilMs, nowMs) })
}

/**
 * Returns the number of whole seconds until a network may send the next code; 0 if it may send now. Limits are only lifted
 * when a cooldown ends or when a send leaves the last hour or the last day, so only these times are considered.
 */
export function secondsToNextSend({ sends }: Pick<CodeHistory, 'sends'>, by: string, nowMs: number): number {
  const last = [sends.at(-1), eventsBy(by, sends).at(-1)].map((event) => event?.atMs ?? 0)
  const moments = [
    nowMs,
    ...last.flatMap((atMs) => LIMITS.otp.cooldown_seconds.map((seconds) => atMs + seconds * 1000)),
    ...sends.flatMap(({ atMs }) => [atMs + HOUR_MS, atMs + DAY_MS]),
  ]
  const allowed = moments.filter((atMs) => atMs >= nowMs && sendLimitAt(sends, by, atMs) === undefined)
  return secondsUntil(Math.min(...allowed), nowMs)
}

export function lastDay(events: readonly CodeEvent[], nowMs: number): readonly CodeEvent[] {
  return eventsWithin(DAY_MS, events, nowMs)
}

/** Decides whether a code may be sent; all callers use this function. */
function sendLimitAt(sends: readonly CodeEvent[], by: string, nowMs: number): SendLimit | undefined {
  const { sends_per_day: perDay, sends_per_hour: perHour, ...limits } = LIMITS.otp
  const today = lastDay(sends, nowMs)
  const ownToday = eventsBy(by, today).length
  const inLastHour = eventsBy(by, eventsWithin(HOUR_MS, sends, nowMs))
  if (ownToday >= perDay || inLastHour.length >= perHour) return 'otp_send_limit'
  const networks = new Set(today.map((event) => event.by))
  if (ownToday === 0 && networks.size >= limits.networks_per_day) return 'otp_send_limit'
  const shared = countShared(today, networks, limits.own_sends_per_day)
  if (ownToday >= limits.own_sends_per_day && shared >= limits.shared_sends_per_day) return 'otp_send_limit'
  return nowMs < cooldownEndMs(sends, inLastHour) ? 'otp_cooldown' : undefined
}

/** Returns the end of the cooldowns of the number and of one network; `own` are its sends of the last hour. */
function cooldownEndMs(sends: readonly CodeEvent[], own: readonly CodeEvent[]): number {
  const cooldowns = LIMITS.otp.cooldown_seconds
  const ownSeconds = cooldowns[Math.min(own.length, cooldowns.length) - 1] ?? 0
  return Math.max((own.at(-1)?.atMs ?? 0) + ownSeconds * 1000, (sends.at(-1)?.atMs ?? 0) + cooldowns[0] * 1000)
}

/** Decides whether a network may try a code; all callers use this function. */
function mayTryAt({ sends, wrong }: CodeHistory, by: string, nowMs: number): boolean {
  const { wrong_per_window: perWindow, wrong_per_day: perDay, ...limits } = LIMITS.otp
  const requesting = new Set(lastDay(sends, nowMs).map((event) => event.by))
  const today = lastDay(wrong, nowMs)
  const recent = eventsWithin(TRIES_MS, wrong, nowMs)
  const hasShared = countShared(today, requesting, limits.own_wrong_per_day) < limits.shared_wrong_per_day
  if (today.length >= limits.wrong_per_number_per_day) return false
  if (!requesting.has(by)) return hasShared && recent.filter((event) => !requesting.has(event.by)).length < perWindow

  const ownToday = eventsBy(by, today).length
  return (
    eventsBy(by, recent).length < perWindow && ownToday < perDay && (hasShared || ownToday < limits.own_wrong_per_day)
  )
}

/** Returns the number of events beyond the own share of each network. */
function countShared(events: readonly CodeEvent[], networks: ReadonlySet<string>, own: number): number {
  const reserved = [...networks].map((by) => Math.min(own, eventsBy(by, events).length))
  return reserved.reduce((left, count) => left - count, events.length)
}

function eventsBy(by: string, events: readonly CodeEvent[]): readonly CodeEvent[] {
  return events.filter((event) => event.by === by)
}

function eventsWithin(periodMs: number, events: readonly CodeEvent[], nowMs: number): readonly CodeEvent[] {
  return events.filter(({ atMs }) => atMs > nowMs - periodMs)
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.ceil((atMs - nowMs) / 1000)
}
