import type { Clock } from '../../../domain/clock.ts'
import type { ReceiptConfig, ReceiptReader } from './reader.ts'
import { tokenReceipts } from './token.ts'
import { twilioReceipts } from './twilio.ts'
import { webhookReceipts } from './webhook.ts'

/** The readers of the providers whose receipts are configured, by name. */
export type ReceiptReaders = Readonly<{ find(provider: string): ReceiptReader | undefined }>

export function receiptReaders(configs: ReadonlyMap<string, ReceiptConfig>, clock: Clock): ReceiptReaders {
  const readers = new Map([...configs].map(([name, config]) => [name, createReader(config, clock)]))
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
