import type { AccountEvent } from '../domain/event.ts'
import type { EventWebhook } from './events/webhook.ts'
import type { Mail } from './mail/smtp.ts'
import type { SmsProvider } from './sms/index.ts'

/** An SMS, or an e-mail if it has a subject */
export type OutboxMessage = Readonly<{ to: string; subject?: string; text: string; reference: string }>

/**
 * The latest messages and events that were not delivered, newest first. Development serves them at `GET /dev/outbox`.
 */
export type Outbox = {
  messages: readonly (OutboxMessage & { sentAt: string })[]
  events: readonly (AccountEvent & { id: string })[]
  sms: SmsProvider
  mail: Mail
  webhook: EventWebhook
}

const MESSAGES_MAX = 100
const EVENTS_MAX = 100

export function logOutbox(log: (message: OutboxMessage) => void): Outbox {
  const messages: (OutboxMessage & { sentAt: string })[] = []
  const record = async (message: OutboxMessage): Promise<void> => {
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
    sms: { name: 'log', send: (message) => record(message).then(() => undefined) },
    mail: { isOffered: true, send: ({ messageId: _, ...message }) => record(message), close: () => undefined },
    webhook: { post, close: async () => undefined },
  }
}
