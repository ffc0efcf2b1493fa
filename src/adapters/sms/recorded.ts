import type { SentMessage } from '../../domain/phones/sms-messages.ts'
import type { KeyedHash } from '../keys/keyed-hash.ts'
import type { Sms } from './index.ts'

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
