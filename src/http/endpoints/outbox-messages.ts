import type { OutboxMessage } from '../../adapters/outbox.ts'
import { LIMITS } from '../../../generated/limits.ts'

/** A message as `GET /dev/outbox` returns it. `code` and `link` are those in the text. */
export type ListedMessage = Readonly<{
  channel: 'sms' | 'email'
  to: string
  subject?: string | undefined
  text: string
  code: string | null
  link: string | null
  reference: string
  sent_at: string
}>

const CODE = new RegExp(`(?<!\\d)\\d{${LIMITS.otp.digits}}(?!\\d)`)
const LINK = /https?:\/\/\S+/

export function toListed({ to, subject, text, reference, sentAt }: OutboxMessage & { sentAt: string }): ListedMessage {
  return {
    channel: subject === undefined ? 'sms' : 'email',
    to,
    subject,
    text,
    code: CODE.exec(text)?.[0] ?? null,
    link: LINK.exec(text)?.[0] ?? null,
    reference,
    sent_at: sentAt,
  }
}
