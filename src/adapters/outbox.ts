import type { AccountEvent } from '../domain/event.ts'
import type { EventWebhook } from './event-webhook.ts'
import type { Mail } from './mail.ts'
import type { SmsProvider } from './sms.ts'

/** A text or an e-mail, which has a subject */
export type Unsent = Readonly<{ to: string; subject?: string; text: string; reference: string }>

/** The last messages and events that were not sent to anybody, newest first. Development reads them at `GET /dev/outbox`. */
export type Outbox = {
  messages: readonly (Unsent & { sentAt: string })[]
  events: readonly (AccountEvent & { id: string })[]
  sms: SmsProvider
  mail: Mail
  webhook: EventWebhook
}

const MESSAGES_MAX = 100
const EVENTS_MAX = 100

export function logOutbox(log: (message: Unsent) => void): Outbox {
  const messages: (Unsent & { sentAt: string })[] = []
  const keep = async (message: Unsent): Promise<void> => {
    log(message)
    messages.unshift({ ...message, sentAt: new Date().toISOString() })
    messages.splice(MESSAGES_MAX)
  }
  const events: (AccountEvent & { id: string })[] = []
  const post: EventWebhook['post'] = async (id, event) => {
    events.unshift({ id, ...event })
    events.splice(EVENTS_MAX)
    return 'taken'
  }
  return {
    messages,
    events,
    sms: { name: 'log', send: keep },
    mail: { isOffered: true, send: keep, close: () => undefined },
    webhook: { post, close: async () => undefined },
  }
}
