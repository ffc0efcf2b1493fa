import { LIMITS } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'

/** Something that happened to an account, as systems of others are told of it. */
export type AccountEvent = components['schemas']['Event']

export type EventState = components['schemas']['EventDelivery']['state']

/** An event that happens now. */
export type News = Untimed<AccountEvent>

type Untimed<Event> = Event extends AccountEvent ? Omit<Event, 'timestamp'> : never

/** An event that is to be posted, for the time that `attempts` says; `takenAt` tells this attempt from others. */
export type DueEvent = Readonly<{
  id: bigint
  webhookId: string
  attempts: number
  takenAt: Date
  event: AccountEvent
}>

/** How the posting of an event ended; a final failure is not tried again. */
export type Outcome = 'taken' | Readonly<{ failure: string; isFinal: boolean }>

const RETRIES: readonly number[] = LIMITS.events.retry_seconds
/** So that what failed at once is not tried again at once */
const SPREAD = 0.2

/**
 * How many seconds after its failed attempt an event is posted again; undefined when it is not.
 *
 * @param attempts how often it was posted
 * @param chance from 0 to 1
 */
export function retryAfterSeconds(attempts: number, chance: number): number | undefined {
  const seconds = RETRIES[attempts - 1]
  return seconds === undefined ? undefined : seconds * (1 + SPREAD * chance)
}
