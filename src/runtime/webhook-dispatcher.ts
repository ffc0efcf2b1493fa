import { setTimeout as sleep } from 'node:timers/promises'
import type { EventWebhook } from '../adapters/events/webhook.ts'
import { retryAfterSeconds, type DueEvent } from '../domain/event.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/index.ts'

const IN_FLIGHT_MAX = 8
const POLL_MS = 500
const SETTLE_MS_MAX = 2000

/** Without a webhook, events are not delivered. */
type Dependencies = { events: Store['events']; webhook: EventWebhook | undefined; log: Log }

export type WebhookDispatcher = { stop(): Promise<void> }

/**
 * Delivers due events, a few at a time, until it is stopped. Every instance does so, with different events. An instance
 * that stops releases its unfinished events, and events of a killed instance become due again after a while. Events are
 * therefore delivered at least once.
 */
export function startWebhookDispatcher({ webhook, ...dependencies }: Dependencies): WebhookDispatcher {
  return webhook ? runDispatcher({ webhook, ...dependencies }) : { stop: () => Promise.resolve() }
}

type Delivering = Dependencies & { webhook: EventWebhook }

function runDispatcher({ events, webhook, log }: Delivering): WebhookDispatcher {
  const running = new Set<Promise<void>>()
  let polling: Promise<void> | undefined
  let isStopped = false
  let isCutOff = false
  let isFailing = false

  const start = (due: DueEvent, isMore: boolean): void => {
    const work = (isStopped ? events.giveBack(due) : deliver(due, { events, webhook, log }, () => isCutOff))
      .catch((error: unknown) => log.warn({ err: error }, 'result of an event delivery could not be stored'))
      .finally(() => {
        running.delete(work)
        if (isMore) poll()
      })
    running.add(work)
  }
  const claim = async (free: number): Promise<void> => {
    try {
      const due = await events.takeDue(free)
      isFailing = false
      for (const event of due) start(event, due.length === free)
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'due events could not be read from the database')
      isFailing = true
    }
  }
  const poll = (): void => {
    const free = IN_FLIGHT_MAX - running.size
    if (polling || isStopped || free === 0) return
    polling = claim(free).finally(() => (polling = undefined))
  }
  const timer = setInterval(poll, POLL_MS).unref()

  const stop = async (): Promise<void> => {
    isStopped = true
    clearInterval(timer)
    await polling
    await Promise.race([Promise.all(running), sleep(SETTLE_MS_MAX, undefined, { ref: false })])
    isCutOff = true
    await webhook.close()
    await Promise.all(running)
  }
  let stopping: Promise<void> | undefined
  return { stop: () => (stopping ??= stop()) }
}

/** Delivers one event and stores the outcome. */
async function deliver(due: DueEvent, { events, webhook, log }: Delivering, isCutOff: () => boolean): Promise<void> {
  const outcome = await webhook.post(due.webhookId, due.event)
  if (outcome === 'taken') return events.markDelivered(due)
  if (isCutOff()) return events.giveBack(due)
  const { failure, isFinal } = outcome
  const seconds = isFinal ? undefined : retryAfterSeconds(due.attempts, Math.random())
  const details = { webhookId: due.webhookId, type: due.event.type, attempts: due.attempts, failure }
  if (seconds === undefined) log.error(details, 'event delivery failed, no more retries')
  else log.warn(details, 'event delivery failed, retry scheduled')
  return events.markFailed(due, failure, seconds)
}
