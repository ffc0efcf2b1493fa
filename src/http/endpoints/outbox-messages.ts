import type { OutboxMessage } from '../../adapters/outbox.ts'
import type { Channel } from '../../domain/phones/sms.ts'
import { LIMITS } from '../../../generated/limits.ts'

/** A message as `GET /dev/outbox` returns it. `code` and `link` are those in the text; a call spells the code out. */
export type ListedMessage = Readonly<{
  channel: Channel | 'email'
  /** `rejected`: the channel cannot reach the number, so the message was sent by SMS */
  outcome: 'sent' | 'rejected'
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

export function toListed(message: OutboxMessage & { sentAt: string }): ListedMessage {
  const { to, subject, channel = 'sms', text, code, reference, isRejected = false, sentAt } = message
  return {
    channel: subject === undefined ? channel : 'email',
    outcome: isRejected ? 'rejected' : 'sent',
    to,
    subject,
    text,
    code: code ?? CODE.exec(text)?.[0] ?? null,
    link: LINK.exec(text)?.[0] ?? null,
    reference,
    sent_at: sentAt,
  }
}
