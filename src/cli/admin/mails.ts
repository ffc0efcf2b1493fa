import type { ListedMail, MailListing } from '../../store/mails/listing.ts'
import type { Command } from './arguments.ts'

const LISTED_MAX = 100

/** Lists e-mails of the outbox, newest first, or makes those that wait after a failure due. Returns the message. */
export async function runMailCommand(
  { action }: Extract<Command, { name: 'mails' }>,
  { list, retryNow }: MailListing,
): Promise<string> {
  if (action === 'retry') {
    const count = await retryNow()
    return `${count === 1 ? '1 e-mail is' : `${count} e-mails are`} retried within seconds.`
  }
  const found = await list(action, LISTED_MAX)
  if (found.length === 0) return action === 'failed' ? 'No e-mail has failed in the last 7 days.' : 'No e-mail waits.'
  return found.map(describe).join('\n')
}

function describe({ messageId, accountId, topic, attempts, ...mail }: ListedMail): string {
  const next = mail.nextAttemptAt ? `next attempt ${toText(mail.nextAttemptAt)}` : 'no more attempts'
  const account = accountId === null ? 'account unknown' : `account ${accountId}`
  const failure = mail.lastFailure ?? 'not failed'
  return `${toText(mail.createdAt)}  ${messageId}  ${account}  ${topic}  ${attempts} attempts  ${next}  ${failure}`
}

function toText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
