import type { KeyRing } from '../adapters/keys/key-ring.ts'
import { noMail, observedMail } from '../adapters/mail/observed.ts'
import { aesMailSeal, recipientHash } from '../adapters/mail/seal.ts'
import type { Mail } from '../adapters/mail/smtp.ts'
import type { Outbox } from '../adapters/outbox.ts'
import type { Config } from '../config/index.ts'
import type { MailParts } from '../context.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import type { Disposers } from '../runtime/shutdown.ts'

type Dependencies = { keys: KeyRing; outbox: Outbox; observers: Observers; log: Log }

/** Opens the connection to the mail server. E-mails are delivered when their dispatcher starts. */
export async function openMail(
  config: Config,
  { keys, outbox, observers, log }: Dependencies,
  disposers: Disposers,
): Promise<MailParts> {
  const { resetUrl, emailUrl, factorResetUrl } = config.mail
  const mail = await connect(config, outbox, observers)
  disposers.add(() => mail.close())
  if (!mail.isOffered) log.warn('SMTP_URL is not set: no e-mail is sent')
  const hashes = await keys.use(({ codes }) => ({ recipients: recipientHash(codes) }))
  return {
    mail,
    mailSeal: await keys.use(({ codes }) => aesMailSeal(codes)),
    recipientHash: (text) => hashes.recipients(text),
    ...{ resetUrl, emailUrl, factorResetUrl },
  }
}

/**
 * Without a mail server, development writes to the outbox; production sends no e-mail and logs a warning at the start.
 */
async function connect(
  { mail: { url, ...options }, isProduction }: Config,
  outbox: Outbox,
  observers: Observers,
): Promise<Mail> {
  if (url === undefined) return isProduction ? noMail : outbox.mail
  const { smtpMail } = await import('../adapters/mail/smtp.ts')
  return observedMail(smtpMail({ url, ...options }), observers)
}
