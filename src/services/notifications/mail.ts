import type { Context } from '../../context.ts'
import { isReleased } from '../../domain/accounts/recovery.ts'
import { say, type Language, type MailTopic } from '../../messages/index.ts'

export type Notice = {
  to: string
  about: MailTopic
  language: Language
  values?: Record<string, string | number>
  /** The id of the request that caused it */
  reference: string
}

/** Sends an e-mail in the language of the request. Released addresses get none. */
export async function sendMail({ to, about, language, values, reference }: Notice, { mail }: Context): Promise<void> {
  if (isReleased(to)) return
  const subject = say(language, `${about}_mail_subject`)
  const text = say(language, `${about}_mail_text`, values)
  await mail.send({ to, subject, text, reference })
}

/**
 * Notifies the owner of an account by e-mail in the background, if a mail server is configured. The operation succeeds even
 * if the notice cannot be sent.
 */
export function notify(notice: Notice, context: Context): void {
  if (!context.mail.isOffered) return
  try {
    context.background.enqueue('a notice', () => sendMail(notice, context))
  } catch (error) {
    context.log.warn({ requestId: notice.reference, err: error }, 'e-mail notice could not be sent')
  }
}
