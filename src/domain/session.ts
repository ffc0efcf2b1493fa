import { LIMITS } from '../../generated/limits.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400 * SECOND_MS
const { idle_days, session_days, grace_seconds } = LIMITS.refresh_token

/** What a refresh token says: it is the one that the session had after so many exchanges. */
export type RefreshClaims = Readonly<{ sessionId: string; generation: number }>

/** A session as far as its refresh tokens are concerned. */
export type Continuable = Readonly<{
  generation: number
  createdAtMs: number
  refreshedAtMs: number
}>

/** What becomes of an exchange: `repeated` gets the same successor once more, and `reused` ends the session. */
export type ExchangeVerdict = 'exchanged' | 'repeated' | 'reused' | 'expired'

/** What an exchange came to: `generation` is that of the successor. */
export type Exchange = Readonly<{ verdict: ExchangeVerdict; accountId: number; email: string; generation: number }>

/** A session as its owner sees it in the list. */
export type SessionRow = Readonly<{
  id: string
  userAgent: string | null
  address: string
  createdAt: Date
  refreshedAt: Date
}>

/** Judges the exchange of a refresh token of a session that lives (RFC 9700, 4.14.2). */
export function judgeExchange(session: Continuable, generation: number, nowMs: number): ExchangeVerdict {
  const idleMs = nowMs - session.refreshedAtMs
  const isOver = idleMs >= idle_days * DAY_MS || nowMs - session.createdAtMs >= session_days * DAY_MS
  if (isOver) return 'expired'
  if (generation === session.generation) return 'exchanged'
  const wasLast = generation === session.generation - 1
  return wasLast && idleMs <= grace_seconds * SECOND_MS ? 'repeated' : 'reused'
}
