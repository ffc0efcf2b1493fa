import type { EventState } from '../../domain/event.ts'

/** The state of a row, in SQL. Must match the expression of the indexes `events_*state_idx`. */
export const EVENT_STATE = `(CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN delivered_at IS NOT NULL THEN 'delivered'
  WHEN attempts > 0 THEN 'failed' ELSE 'unsent' END)`

export const EVENT_STATES: readonly EventState[] = ['waiting', 'delivered', 'failed', 'unsent']
