import { setTimeout as sleep } from 'node:timers/promises'
import type { EventWebhook } from './adapters/event-webhook.ts'
import { retryAfterSeconds, type DueEvent } from './domain/event.ts'
import type { Log } from './log.ts'
import type { Store } from './store/index.ts'

const IN_FLIGHT_MAX = 8
const LOOK_MS = 500
const SETTLE_MS_MAX = 2000

/** Without a webhook nobody is told. */
type Parts = { events: Store['events']; webhook: EventWebhook | undefined; log: Log }

export type Deliveries = { stop(): Promise<void> }

/**
 * Posts the events that are due, a few at a time, until it is stopped. Every instance does, each other ones. What an
 * instance has not brought to its end when it stops it gives back; what one has taken that was killed is due again after
 * a while. So an event is told at least once.
 */
export function startDeliveries({ webhook, ...parts }: Parts): Deliveries {
  return webhook ? delivering({ webhook, ...parts }) : { stop: () => Promise.resolve() }
}

function delivering({ events, webhook, log }: Parts & { webhook: EventWebhook }): Deliveries {
  const running = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let isStopped = false
  let isCutOff = false
  let isBlind = false

  const deliver = async (due: DueEvent): Promise<void> => {
    const outcome = await webhook.post(due.webhookId, due.event)
    if (outcome === 'taken') return events.markDelivered(due)
    if (isCutOff) return events.giveBack(due)
    const { failure, isFinal } = outcome
    const seconds = isFinal ? undefined : retryAfterSeconds(due.attempts, Math.random())
    const about = { webhookId: due.webhookId, type: due.event.type, attempts: due.attempts, failure }
    if (seconds === undefined) log.error(about, 'an event is given up')
    else log.warn(about, 'an event was not taken')
    return events.markFailed(due, failure, seconds)
  }
  const begin = (due: DueEvent, isMore: boolean): void => {
    const work = (isStopped ? events.giveBack(due) : deliver(due))
      .catch((error: unknown) => log.warn({ err: error }, 'how the posting of an event ended was not written down'))
      .finally(() => {
        running.delete(work)
        if (isMore) look()
      })
    running.add(work)
  }
  const take = async (free: number): Promise<void> => {
    try {
      const due = await events.takeDue(free)
      isBlind = false
      for (const event of due) begin(event, due.length === free)
    } catch (error) {
      if (!isBlind) log.warn({ err: error }, 'events that are due cannot be looked for')
      isBlind = true
    }
  }
  const look = (): void => {
    const free = IN_FLIGHT_MAX - running.size
    if (looking || isStopped || free === 0) return
    looking = take(free).finally(() => (looking = undefined))
  }
  const timer = setInterval(look, LOOK_MS).unref()

  const stop = async (): Promise<void> => {
    isStopped = true
    clearInterval(timer)
    await looking
    await Promise.race([Promise.all(running), sleep(SETTLE_MS_MAX, undefined, { ref: false })])
    isCutOff = true
    await webhook.close()
    await Promise.all(running)
  }
  let stopping: Promise<void> | undefined
  return { stop: () => (stopping ??= stop()) }
}
