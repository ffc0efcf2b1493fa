import type { MailTopic } from '../../messages/index.ts'

/**
 * The topics of notices, which are limited per account and recipient. Those with a link count apart, so that no others delay
 * them. E-mails that the user asked for have limits of their own. Those about resets each need a code or a token, which are
 * limited.
 */
const NOTICES = {
  password: 'plain',
  email: 'plain',
  email_change_notice: 'plain',
  phone: 'plain',
  deletion: 'plain',
  export: 'plain',
  email_change: 'link',
  email_changed: 'link',
} as const satisfies Partial<Record<MailTopic, 'plain' | 'link'>>

export type NoticeTopic = keyof typeof NOTICES

/** Returns what notices of a topic are counted with; undefined if the topic is not that of a notice. */
export function noticeKind(topic: MailTopic): 'plain' | 'link' | undefined {
  return topic in NOTICES ? NOTICES[topic as NoticeTopic] : undefined
}
