// How often a number may be sent a code, and how many wrong codes may be tried for it. Every network has some of both that
// no other network can use up; the rest is shared. Times are milliseconds since 1970.
import { LIMITS } from '../../generated/limits.ts'
import { Failure } from './failure.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const TRIES_MS = LIMITS.otp.wrong_minutes * MINUTE_MS

/** A send or a wrong try: when it was, and the network that brought it about, as a keyed hash. */
export type CodeEvent = Readonly<{ atMs: number; by: string }>

/** The sends and the wrong tries of a number in the last day, oldest first */
export type CodeHistory = Readonly<{ sends: readonly CodeEvent[]; wrong: readonly CodeEvent[] }>

/** Why no code may be sent now */
type SendLimit = 'otp_send_limit' | 'otp_cooldown'

/**
 * Rejects a send that comes too soon after those before it.
 *
 * @param by the network that asks
 * @throws Failure 429 `otp_cooldown` or `otp_send_limit`
 */
export function refuseTooManySends({ sends }: Pick<CodeHistory, 'sends'>, by: string, nowMs: number): void {
  const limit = sendLimitAt(sends, by, nowMs)
  if (limit) refuse(limit, nextSendAtMs(sends, by, nowMs), nowMs)
}

/**
 * Rejects a try, or a send, of a network that has no tries left. This depends on what was sent and tried only, and not on
 * whether a code is live: a refusal does not show that one is.
 *
 * @throws Failure 429 `otp_tries_exhausted`
 */
export function refuseTooManyTries(history: CodeHistory, by: string, nowMs: number): void {
  if (mayTryAt(history, by, nowMs)) return
  const moments = history.wrong.flatMap(({ atMs }) => [atMs + TRIES_MS, atMs + DAY_MS])
  const allowed = moments.filter((atMs) => atMs > nowMs && mayTryAt(history, by, atMs))
  refuse('otp_tries_exhausted', Math.min(nowMs + DAY_MS, ...allowed), nowMs)
}

function refuse(code: SendLimit | 'otp_tries_exhausted', untilMs: number, nowMs: number): void {
  if (untilMs > nowMs) throw new Failure(code, { retryAfterSeconds: secondsUntil(untilMs, nowMs) })
}

/** Returns in how many whole seconds the next code may be sent for a network; 0 if it may be sent at once. */
export function secondsToNextSend({ sends }: Pick<CodeHistory, 'sends'>, by: string, nowMs: number): number {
  return secondsUntil(nextSendAtMs(sends, by, nowMs), nowMs)
}

/** Returns the part of the events that happened in the last 24 hours. */
export function lastDay(events: readonly CodeEvent[], nowMs: number): readonly CodeEvent[] {
  return within(DAY_MS, events, nowMs)
}

/**
 * The first moment at which no limit applies. Time only ever lifts limits, and it does so when a cooldown after the last
 * send ends or when a send leaves the last hour or the last day: one of these moments it is.
 */
function nextSendAtMs(sends: readonly CodeEvent[], by: string, nowMs: number): number {
  const last = [sends.at(-1), of(by, sends).at(-1)].map((event) => event?.atMs ?? 0)
  const moments = [
    nowMs,
    ...last.flatMap((atMs) => LIMITS.otp.cooldown_seconds.map((seconds) => atMs + seconds * 1000)),
    ...sends.flatMap(({ atMs }) => [atMs + HOUR_MS, atMs + DAY_MS]),
  ]
  const allowed = moments.filter((atMs) => atMs >= nowMs && sendLimitAt(sends, by, atMs) === undefined)
  return Math.min(...allowed)
}

/** The one place that decides whether a code may be sent. */
function sendLimitAt(sends: readonly CodeEvent[], by: string, nowMs: number): SendLimit | undefined {
  const { sends_per_day: perDay, sends_per_hour: perHour, cooldown_seconds: cooldowns, ...limits } = LIMITS.otp
  const today = lastDay(sends, nowMs)
  const ownToday = of(by, today).length
  const inLastHour = of(by, within(HOUR_MS, sends, nowMs))
  if (ownToday >= perDay || inLastHour.length >= perHour) return 'otp_send_limit'
  const networks = new Set(today.map((event) => event.by))
  if (ownToday === 0 && networks.size >= limits.networks_per_day) return 'otp_send_limit'
  const shared = beyondOwn(today, networks, limits.own_sends_per_day)
  if (ownToday >= limits.own_sends_per_day && shared >= limits.shared_sends_per_day) return 'otp_send_limit'

  const cooldownSeconds = cooldowns[Math.min(inLastHour.length, cooldowns.length) - 1] ?? 0
  const isOwnOver = nowMs >= (inLastHour.at(-1)?.atMs ?? 0) + cooldownSeconds * 1000
  const isOver = isOwnOver && nowMs >= (sends.at(-1)?.atMs ?? 0) + cooldowns[0] * 1000
  return isOver ? undefined : 'otp_cooldown'
}

/** The one place that decides whether a network may try a code. */
function mayTryAt({ sends, wrong }: CodeHistory, by: string, nowMs: number): boolean {
  const { wrong_per_window: perWindow, wrong_per_day: perDay, ...limits } = LIMITS.otp
  const asking = new Set(lastDay(sends, nowMs).map((event) => event.by))
  const today = lastDay(wrong, nowMs)
  const recent = within(TRIES_MS, wrong, nowMs)
  const hasShared = beyondOwn(today, asking, limits.own_wrong_per_day) < limits.shared_wrong_per_day
  if (today.length >= limits.wrong_per_number_per_day) return false
  if (!asking.has(by)) return hasShared && recent.filter((event) => !asking.has(event.by)).length < perWindow

  const ownToday = of(by, today).length
  return of(by, recent).length < perWindow && ownToday < perDay && (hasShared || ownToday < limits.own_wrong_per_day)
}

/** How many events there are beyond those that each of some networks has to itself. */
function beyondOwn(events: readonly CodeEvent[], networks: ReadonlySet<string>, own: number): number {
  const ofEach = [...networks].map((by) => Math.min(own, of(by, events).length))
  return ofEach.reduce((left, count) => left - count, events.length)
}

function of(by: string, events: readonly CodeEvent[]): readonly CodeEvent[] {
  return events.filter((event) => event.by === by)
}

function within(periodMs: number, events: readonly CodeEvent[], nowMs: number): readonly CodeEvent[] {
  return events.filter(({ atMs }) => atMs > nowMs - periodMs)
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.ceil((atMs - nowMs) / 1000)
}
