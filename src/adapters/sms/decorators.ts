import type { SentMessage } from '../../domain/phones/sms.ts'
import type { KeyedHash } from '../keys/keyed-hash.ts'
import type { OutgoingSms, Sms, SmsProvider } from './index.ts'
import { Failure } from '../../domain/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Tracer } from '../../lib/tracing.ts'

/** Records a message that was sent now. It must not throw or wait. */
export type RecordSms = (message: Omit<SentMessage, 'sentAtMs'>) => void

/** Records each message that a provider has received, without its number, text and code. */
export function recordedSms(
  sms: Sms,
  { record, networkHash }: { record: RecordSms | undefined; networkHash: KeyedHash },
): Sms {
  return {
    async send({ windowId, ...message }) {
      const result = await sms.send(message)
      const { outcome, provider, providerId, channel = message.channel } = result
      if (record && provider !== undefined && outcome !== 'refused') {
        const { to, network, purpose, reference } = message
        const { callingCode } = to
        const key = providerId ?? reference
        record({ provider, key, channel, callingCode, purpose, network: networkHash(network), windowId })
      }
      return result
    },
  }
}

/** Sends nothing to test numbers, whose codes are fixed, and charges no budget for them. */
export function withTestNumbers(testNumbers: ReadonlyMap<string, string>, sms: Sms): Sms {
  return {
    async send(message) {
      return testNumbers.has(message.to.e164) ? { outcome: 'taken', channel: message.channel } : sms.send(message)
    },
  }
}

/** Counts the messages that no provider has sent, by reason. */
export function countRefusedSms(sms: Sms, metrics: Metrics | undefined): Sms {
  if (!metrics) return sms
  const count = (reason: string, { to }: OutgoingSms): void =>
    metrics.count('tawthiq_sms_refused_total', { reason, calling_code: to.callingCode })
  return {
    async send(message) {
      const result = await sms.send(message).catch((error: unknown) => {
        if (error instanceof Failure) count(error.counter?.policy.name ?? error.code, message)
        throw error
      })
      if (result.outcome === 'refused') count('providers', message)
      return result
    },
  }
}

/**
 * Adds the line by which browsers offer the code to pages of one host, and to no other. It must be the last line. Only SMS
 * can have it.
 *
 * @param host undefined: no line is added
 * @see https://wicg.github.io/sms-one-time-codes/
 */
export function withWebOtp(host: string | undefined, provider: SmsProvider): SmsProvider {
  if (host === undefined) return provider
  return {
    ...provider,
    send(message, timeoutMs) {
      const { channel, code, text } = message
      const isBound = channel === 'sms' && code !== undefined
      return provider.send(isBound ? { ...message, text: `${text}\n\n@${host} #${code}` } : message, timeoutMs)
    },
  }
}

/** Traces messages to a provider, without their numbers and texts. */
export function tracedProvider(provider: SmsProvider, tracer: Tracer | undefined): SmsProvider {
  if (!tracer) return provider
  const attributes = { 'tawthiq.sms.provider': provider.name }
  return {
    ...provider,
    send: (...message) => tracer.trace('SMS send', { attributes }, () => provider.send(...message)),
  }
}
