// One e-mail in place of the notices beyond the limit of their recipient.
import type { Context } from '../../context.ts'
import type { DigestedNotice, DueMail, QueuedMessage } from '../../domain/mail.ts'
import { say, type FactorTopic, type Language, type MailTopic } from '../../messages/index.ts'

/** Notices with a line of their own; further ones are counted by topic. */
const LINES_MAX = 50
/** Of one topic, the texts with a link. Earlier links to the same address do the same. */
const TEXTS_MAX = 10

/**
 * Returns the e-mail that replaces notices: a line for each, oldest first, then the texts whose links are still valid. It
 * is in the language of the first notice.
 *
 * @returns undefined if a text with a valid link cannot be decrypted
 */
export function composeDigest(
  { language = 'ar', ...message }: QueuedMessage,
  due: DueMail,
  { mailSeal }: Pick<Context, 'mailSeal'>,
): QueuedMessage | undefined {
  const notices = [due, ...due.others]
  const linked = newestLinked(notices).map(({ sealed }) => mailSeal.open(sealed))
  const texts = linked.flatMap((content) => (content?.kind === 'message' ? [content] : []))
  if (texts.length < linked.length) return undefined
  const values = { count: notices.length, lines: listLines(notices, language).join('\n') }
  const parts = [
    say(language, 'digest_mail_text', values),
    ...texts.map(({ subject, text }) => `${subject}\n\n${text}`),
  ]
  return { ...message, language, subject: say(language, 'digest_mail_subject'), text: parts.join('\n\n---\n\n') }
}

function listLines(notices: readonly DigestedNotice[], language: Language): string[] {
  const subject = ({ topic }: DigestedNotice): string => say(language, `${topic as NoticeTopic}_mail_subject`)
  const lines = notices.slice(0, LINES_MAX).map((notice) => `${timeOf(notice)}  ${subject(notice)}`)
  const counts = new Map<string, number>()
  for (const each of notices.slice(LINES_MAX)) counts.set(subject(each), (counts.get(subject(each)) ?? 0) + 1)
  return [...lines, ...[...counts].map(([text, count]) => `+${count}  ${text}`)]
}

/** Returns the time to the minute, such as `2026-11-24 09:10 UTC`. */
function timeOf({ createdAt }: DigestedNotice): string {
  return `${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Returns the newest notices of each topic whose links are valid, newest first. */
function newestLinked(notices: readonly DigestedNotice[]): DigestedNotice[] {
  const counts = new Map<string, number>()
  return notices.toReversed().filter(({ topic, hasToken, isObsolete }) => {
    if (!hasToken || isObsolete) return false
    const count = (counts.get(topic) ?? 0) + 1
    counts.set(topic, count)
    return count <= TEXTS_MAX
  })
}

/**
 * The topics of notices, which are limited per account and recipient. Each kind counts apart: a thief who changes the password again
 * and again delays no notice of a new passkey, and none with a link. E-mails that the user asked for have limits of their own. Those
 * about resets each need a code or a token, which are limited.
 */
const NOTICES = {
  password: 'password',
  email_change_notice: 'account',
  deletion: 'account',
  export: 'account',
  totp_added: 'factors',
  totp_removed: 'factors',
  passkey_added: 'factors',
  passkey_removed: 'factors',
  recovery_codes_renewed: 'factors',
  recovery_code_used: 'factors',
  email: 'contact',
  email_change: 'contact',
  phone: 'contact',
} as const satisfies Partial<Record<MailTopic, string>> & Record<FactorTopic, 'factors'>

type NoticeTopic = keyof typeof NOTICES

/** Returns what notices of a topic are counted with; undefined if the topic is not that of a notice. */
export function noticeKind(topic: MailTopic): (typeof NOTICES)[NoticeTopic] | undefined {
  return topic in NOTICES ? NOTICES[topic as NoticeTopic] : undefined
}
