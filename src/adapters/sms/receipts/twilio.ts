import { createHmac } from 'node:crypto'
import type { FinalState } from '../../../domain/phones/sms-messages.ts'
import { isSame } from './compare.ts'
import { requireText } from './fields.ts'
import type { ReceiptReader } from './reader.ts'

/** Final states of messages and calls. An unanswered call has reached the number, so it is no failure. */
const STATES: Readonly<Record<string, FinalState>> = {
  delivered: 'delivered',
  read: 'delivered',
  completed: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
}

/**
 * Reads status callbacks of Twilio for messages and calls.
 *
 * @param options.url the public URL of the service, without a slash at the end. The `Host` header of a request proves nothing.
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
export function twilioReceipts({ authToken, url }: { authToken: string; url: string }): ReceiptReader {
  return {
    isGenuine: ({ url: path, header, fields }) =>
      isSame(header('x-twilio-signature') ?? '', signTwilio(`${url}${path}`, fields, authToken)),
    read({ fields }) {
      const key = requireText(fields, ['MessageSid', 'CallSid'])
      const word = requireText(fields, ['MessageStatus', 'CallStatus'])
      const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined
      return state === undefined ? [] : [{ key, state }]
    },
  }
}

/** Returns the signature of a form. Of a repeated field, each different value is signed once, in order. */
export function signTwilio(url: string, fields: Readonly<Record<string, unknown>>, authToken: string): string {
  const parts = Object.keys(fields)
    .sort()
    .flatMap((name) => [...new Set([fields[name]].flat().map(String))].sort().map((value) => name + value))
  return createHmac('sha1', authToken)
    .update([url, ...parts].join(''))
    .digest('base64')
}
