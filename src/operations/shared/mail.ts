import type { Context } from '../../context.ts'
import { isReleased } from '../../domain/recovery.ts'
import { say, type Language, type MailTopic } from '../../messages/index.ts'

export type Notice = {
  to: string
  about: MailTopic
  language: Language
  values?: Record<string, string | number>
  /** The request that brought it about */
  reference: string
}

/** Sends an e-mail in the language of who asked; an address that was released gets none. */
export async function sendMail({ to, about, language, values, reference }: Notice, { mail }: Context): Promise<void> {
  if (isReleased(to)) return
  const subject = say(language, `${about}_mail_subject`)
  const text = say(language, `${about}_mail_text`, values)
  await mail.send({ to, subject, text, reference })
}

/**
 * Tells the owner of an account of what was done, where there is a mail server. Nobody waits for it, and what was done
 * stays done when there is too much to tell.
 */
export function notify(notice: Notice, context: Context): void {
  if (!context.mail.isOffered) return
  try {
    context.background.begin('a notice', () => sendMail(notice, context))
  } catch (error) {
    context.log.warn({ requestId: notice.reference, err: error }, 'a notice was not sent')
  }
}
