import { NO_METRICS, timed } from '../../lib/metrics.ts'
import type { Observers } from '../../lib/observers.ts'
import type { Mail } from './smtp.ts'

/** Counts, times and traces the messages that are passed to the mail server. */
export function observedMail(mail: Mail, { metrics = NO_METRICS, tracer }: Observers): Mail {
  const observe = metrics.duration('tawthiq_dependency_duration_seconds', { dependency: 'mail' })
  const attributes = { 'network.protocol.name': 'smtp' }
  return {
    ...mail,
    async send(message) {
      const send = (): Promise<void> => mail.send(message)
      try {
        await timed(observe, () => (tracer ? tracer.trace('SMTP send', { attributes }, send) : send()))
        metrics.count('tawthiq_mail_messages_total', { outcome: 'sent' })
      } catch (error) {
        metrics.count('tawthiq_mail_messages_total', { outcome: 'failed' })
        throw error
      }
    },
  }
}

/** For installations without a mail server */
export const noMail: Mail = {
  isOffered: false,
  send: () => Promise.reject(new Error('no mail server is configured')),
  close: () => undefined,
}
