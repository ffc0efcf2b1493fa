import { LRUCache } from 'lru-cache'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { RefreshClaims } from '../../domain/sessions/session.ts'
import type { Background } from '../background.ts'

/** Records the first use of an access token that comes from a refresh. It shows that the response of the refresh arrived. */
export type RecordUse = (bearer: Bearer) => void

const SESSIONS_MAX = 10_000
/** Further uses are recorded with a later request. */
const WAITING_MAX = 1000

/**
 * Records uses together, about a second later, so that no request waits or fails because of them. Requests that follow try
 * again what could not be recorded.
 */
export function usedTokens(background: Background, record: (used: RefreshClaims[]) => Promise<void>): RecordUse {
  /** The last generation of each session that was recorded, or waits for it */
  const recorded = new LRUCache<string, number>({ max: SESSIONS_MAX })
  let waiting: RefreshClaims[] = []
  const recordWaiting = async (): Promise<void> => {
    const used = waiting
    waiting = []
    await record(used).catch((error: unknown) => {
      for (const { sessionId } of used) recorded.delete(sessionId)
      throw error
    })
  }
  return ({ sessionId, generation = 0 }) => {
    if (generation <= (recorded.get(sessionId) ?? 0) || waiting.length >= WAITING_MAX) return
    try {
      if (waiting.length === 0) background.enqueue('recording used tokens', recordWaiting)
    } catch {
      return // the queue is full
    }
    recorded.set(sessionId, generation)
    waiting.push({ sessionId, generation })
  }
}
