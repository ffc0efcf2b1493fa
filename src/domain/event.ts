import { LIMITS } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'

/** An event of an account, as webhook receivers get it. */
export type AccountEvent = components['schemas']['Event']

export type EventState = components['schemas']['EventDelivery']['state']

/** An event that is raised now. */
export type DomainEvent = Untimed<AccountEvent>

type Untimed<Event> = Event extends AccountEvent ? Omit<Event, 'timestamp'> : never

/** An event that is due for delivery. `takenAt` identifies this attempt. */
export type DueEvent = Readonly<{
  id: bigint
  webhookId: string
  attempts: number
  takenAt: Date
  event: AccountEvent
  /** The W3C `traceparent` of the request that raised the event; null if it was not traced */
  traceParent: string | null
}>

/** The outcome of a delivery. A final failure is not retried. */
export type Outcome = 'taken' | Readonly<{ failure: string; isFinal: boolean }>

const RETRY_SECONDS: readonly number[] = LIMITS.events.retry_seconds
/** Spreads retries, so that events that failed together are not retried together */
const JITTER = 0.2

/** Returns the delay before the next attempt in seconds, by chance from 0 to 1; undefined if there is none. */
export function retryAfterSeconds(attempts: number, chance: number): number | undefined {
  const seconds = RETRY_SECONDS[attempts - 1]
  return seconds === undefined ? undefined : seconds * (1 + JITTER * chance)
}
