import type { AccountEvent } from '../domain/event.ts'
import { CHANNELS, type Channel } from '../domain/phones/sms.ts'
import type { EventWebhook } from './events/webhook.ts'
import type { Mail } from './mail/smtp.ts'
import { SmsRefused, type SmsProvider } from './sms/index.ts'

/** An e-mail if it has a subject; otherwise a message by a channel */
export type OutboxMessage = Readonly<{
  to: string
  subject?: string
  channel?: Channel
  text: string
  code?: string
  reference: string
  /** Whether the channel cannot reach the number */
  isRejected?: boolean
}>

/** The latest undelivered messages and events, newest first. Development serves them at `GET /dev/outbox`. */
export type Outbox = {
  messages: readonly (OutboxMessage & { sentAt: string })[]
  events: readonly (AccountEvent & { id: string })[]
  sms: SmsProvider
  mail: Mail
  webhook: EventWebhook
}

export type ServedOutbox = Readonly<{
  outbox: Outbox
  /** Whether only this machine can connect to the service */
  isLocal: boolean
}>

/** The end of numbers that are not on WhatsApp, so that the fallback to SMS can be tried without a provider */
const NOT_ON_WHATSAPP = '0404'
const LISTED_MAX = 100

export function logOutbox(log: (message: OutboxMessage) => void): Outbox {
  const messages: (OutboxMessage & { sentAt: string })[] = []
  const record = async (message: OutboxMessage): Promise<void> => {
    log(message)
    messages.unshift({ ...message, sentAt: new Date().toISOString() })
    messages.splice(LISTED_MAX)
  }
  const events: (AccountEvent & { id: string })[] = []
  const post: EventWebhook['post'] = async (id, event) => {
    events.unshift({ id, ...event })
    events.splice(LISTED_MAX)
    return 'taken'
  }
  return {
    messages,
    events,
    sms: {
      name: 'log',
      channels: new Set(CHANNELS),
      async send({ to, channel, text, code, reference }) {
        const isRejected = channel === 'whatsapp' && to.endsWith(NOT_ON_WHATSAPP)
        await record({ to, channel, text, reference, isRejected, ...(code !== undefined && { code }) })
        if (isRejected) throw new SmsRefused(`Numbers that end in ${NOT_ON_WHATSAPP} are not on WhatsApp.`)
        return undefined
      },
    },
    mail: { isOffered: true, send: ({ messageId: _, ...message }) => record(message), close: () => undefined },
    webhook: { post, close: async () => undefined },
  }
}
