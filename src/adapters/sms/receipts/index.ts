import type { Clock } from '../../../domain/clock.ts'
import type { Log } from '../../../lib/log.ts'
import type { ReceiptConfig, ReceiptReader } from './reader.ts'
import { withRejectionLog } from './rejection-log.ts'
import { tokenReceipts } from './token.ts'
import { twilioReceipts } from './twilio.ts'
import { webhookReceipts } from './webhook.ts'

/** The readers of the providers whose receipts are configured, by name. */
export type ReceiptReaders = Readonly<{ find(provider: string): ReceiptReader | undefined }>

export function receiptReaders(
  configs: ReadonlyMap<string, ReceiptConfig>,
  { clock, log }: { clock: Clock; log: Log },
): ReceiptReaders {
  const build = (provider: string, config: ReceiptConfig): ReceiptReader =>
    withRejectionLog(createReader(config, clock), { ...config, provider }, { clock, log })
  const readers = new Map([...configs].map(([name, config]) => [name, build(name, config)]))
  return { find: (provider) => readers.get(provider) }
}

function createReader(config: ReceiptConfig, clock: Clock): ReceiptReader {
  switch (config.kind) {
    case 'twilio':
      return twilioReceipts(config)
    case 'webhook':
      return webhookReceipts(config.secrets, clock)
    case 'unifonic':
    case 'taqnyat':
      return tokenReceipts(config.kind, config.tokens)
  }
}
