import type { EventWebhook } from '../adapters/events/webhook.ts'
import type { Mail } from '../adapters/mail/smtp.ts'
import type { Outbox, ServedOutbox } from '../adapters/outbox.ts'
import type { Config } from '../config/index.ts'
import { listSmsProviders } from '../config/sms/providers.ts'
import { isLoopback } from '../lib/loopback.ts'

/** Returns the outbox if anything is written to it. */
export function chooseServedOutbox(
  { sms, host }: Config,
  outbox: Outbox,
  { mail, webhook }: { mail: Mail; webhook: EventWebhook | undefined },
): ServedOutbox | undefined {
  const isUsed =
    mail === outbox.mail || webhook === outbox.webhook || listSmsProviders(sms).some(({ kind }) => kind === 'log')
  return isUsed ? { outbox, isLocal: isLoopback(host) } : undefined
}
