import type { FinalState } from '../../../domain/phones/sms-messages.ts'
import { isSame } from './compare.ts'
import { requireText } from './fields.ts'
import type { ReceiptReader } from './reader.ts'

/** The names of the identifier and of the state. The providers document or send several. */
const FIELDS = {
  /** @see https://docs.unifonic.com/docs/receiving-delivery-status-via-webhook */
  unifonic: { key: ['MessageID', 'messageId'], state: ['DLR', 'Status', 'status'] },
  /** @see https://dev.taqnyat.sa/en/doc/sms/ */
  taqnyat: { key: ['messageId', 'msgid', 'id'], state: ['status', 'deliveryStatus'] },
} as const

/** Final states in lower case. Other texts, such as `sent` or `pending`, are not final. */
const STATES: Readonly<Record<string, FinalState>> = {
  delivered: 'delivered',
  delivrd: 'delivered',
  undeliverable: 'failed',
  undelivered: 'failed',
  undeliv: 'failed',
  failed: 'failed',
  rejected: 'failed',
  rejectd: 'failed',
  expired: 'failed',
}

/**
 * Reads receipts of a provider that does not sign them: a secret token in the query string proves where they come from.
 *
 * @param tokens any of them is accepted
 */
export function tokenReceipts(provider: keyof typeof FIELDS, tokens: readonly string[]): ReceiptReader {
  const names = FIELDS[provider]
  return {
    isGenuine({ url }) {
      const given = new URL(url, 'http://localhost').searchParams.get('token') ?? ''
      return tokens.map((token) => isSame(given, token)).includes(true)
    },
    read({ fields }) {
      const key = requireText(fields, names.key)
      const word = requireText(fields, names.state).toLowerCase()
      const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined
      return state === undefined ? [] : [{ key, state }]
    },
  }
}
