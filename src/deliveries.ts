import { setTimeout as sleep } from 'node:timers/promises'
import type { EventWebhook } from './adapters/event-webhook.ts'
import { retryAfterSeconds, type DueEvent } from './domain/event.ts'
import type { Log } from './log.ts'
import type { Store } from './store/index.ts'

const IN_FLIGHT_MAX = 8
const LOOK_MS = 1000
const SETTLE_MS_MAX = 2000

type Parts = { events: Store['events']; webhook: EventWebhook; log: Log }

/**
 * Posts the events that are due, a few at a time, until it is stopped. Every instance does, each other ones. What an
 * instance has taken when it ends is due again after a while: an event is told at least once.
 */
export function startDeliveries({ events, webhook, log }: Parts): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>()
  let isTaking = false
  let isStopped = false
  let isBlind = false

  const deliver = async (due: DueEvent): Promise<void> => {
    const outcome = await webhook.post(due.webhookId, due.event)
    if (outcome === 'taken') return events.markDelivered(due)
    const { failure, isFinal } = outcome
    const seconds = isFinal ? undefined : retryAfterSeconds(due.attempts, Math.random())
    const about = { webhookId: due.webhookId, type: due.event.type, attempts: due.attempts, failure }
    log[seconds === undefined ? 'error' : 'warn'](
      about,
      seconds === undefined ? 'an event is given up' : 'an event was not taken',
    )
    return events.markFailed(due, failure, seconds)
  }
  const begin = (due: DueEvent, isMore: boolean): void => {
    const work = deliver(due)
      .catch((error: unknown) => log.warn({ err: error }, 'how the posting of an event ended was not written down'))
      .finally(() => {
        running.delete(work)
        if (isMore) void look()
      })
    running.add(work)
  }
  const look = async (): Promise<void> => {
    const free = IN_FLIGHT_MAX - running.size
    if (isTaking || isStopped || free === 0) return
    isTaking = true
    try {
      const due = await events.takeDue(free)
      isBlind = false
      for (const event of due) begin(event, due.length === free)
    } catch (error) {
      if (!isBlind) log.warn({ err: error }, 'events that are due cannot be looked for')
      isBlind = true
    } finally {
      isTaking = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.race([Promise.all(running), sleep(SETTLE_MS_MAX, undefined, { ref: false })])
      await webhook.close() // which ends what is left
      await Promise.all(running)
    },
  }
}
