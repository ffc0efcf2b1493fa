import { LIMITS } from '../../../generated/limits.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400 * SECOND_MS
const { idle_days, session_days, grace_seconds } = LIMITS.refresh_token

/** The claims of a refresh token: its session, and how often the session was refreshed before it was issued. */
export type RefreshClaims = Readonly<{ sessionId: string; generation: number }>

/** The columns of a session that decide an exchange. */
export type RefreshableSession = Readonly<{
  generation: number
  successorUnused: boolean
  lostSuccessors: number
  createdAtMs: number
  refreshedAtMs: number
}>

/**
 * The outcome of an exchange: `repeated` returns the same successor again, `renewed` replaces a successor that was lost,
 * `reused` revokes the session.
 */
export type ExchangeOutcome = 'exchanged' | 'repeated' | 'renewed' | 'reused' | 'expired'

/** The result of an exchange; `generation` is that of the successor, and `endsAtMs` the latest end of the session. */
export type ExchangeResult = Readonly<{
  outcome: ExchangeOutcome
  accountId: number
  email: string
  generation: number
  endsAtMs: number
}>

/** A session in the list of its owner. */
export type SessionRow = Readonly<{
  id: string
  userAgent: string | null
  address: string
  createdAt: Date
  refreshedAt: Date
}>

/** Returns when a session ends even if it is used. */
export function sessionEndMs({ createdAtMs }: Pick<RefreshableSession, 'createdAtMs'>): number {
  return createdAtMs + session_days * DAY_MS
}

/**
 * Evaluates the exchange of a refresh token of an active session (RFC 9700, 4.14.2). A client that has lost a response sends the
 * predecessor of the current token, and gets another successor while the current one is unused. A successor that was replaced
 * revokes the session: it has reached a client, and another client has sent the predecessor.
 *
 * An instance of 0.2.0 increments the generation alone. If it does so after a successor was replaced, the predecessor is taken
 * for an older token until the next refresh by this version.
 */
export function evaluateExchange(session: RefreshableSession, generation: number, nowMs: number): ExchangeOutcome {
  const idleMs = nowMs - session.refreshedAtMs
  const isOver = idleMs >= idle_days * DAY_MS || nowMs >= sessionEndMs(session)
  if (isOver) return 'expired'
  if (generation === session.generation) return 'exchanged'
  if (generation !== session.generation - 1 - session.lostSuccessors) return 'reused'
  if (idleMs <= grace_seconds * SECOND_MS) return 'repeated'
  return session.successorUnused ? 'renewed' : 'reused'
}
