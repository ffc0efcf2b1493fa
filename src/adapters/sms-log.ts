import type { SmsMessage, SmsProvider } from './sms.ts'

/** The last messages that were not sent to anybody, newest first. Development reads them at `GET /dev/outbox`. */
export type Outbox = { messages: readonly (SmsMessage & { sentAt: string })[]; provider: SmsProvider }

const MESSAGES_MAX = 100

export function logOutbox(log: (message: SmsMessage) => void): Outbox {
  const messages: (SmsMessage & { sentAt: string })[] = []
  return {
    messages,
    provider: {
      name: 'log',
      async send(message) {
        log(message)
        messages.unshift({ ...message, sentAt: new Date().toISOString() })
        messages.splice(MESSAGES_MAX)
      },
    },
  }
}
