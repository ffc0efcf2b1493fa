import type { Observers } from '../../../lib/observers.ts'
import type { SmsProvider } from '../index.ts'
import { tokenReceipts, type ReceiptReader } from '../receipts.ts'
import { httpProvider, member, textMember, UNAVAILABLE, type Outcome, type ProviderResponse } from './http-provider.ts'

/** The statuses of a message that will not be sent */
const FAILED = new Set(['failed', 'rejected'])

/**
 * Sends through Unifonic. It returns 200 for messages that it rejects, too: `success` of the body decides. Numbers have
 * no `+`.
 *
 * @see https://docs.unifonic.com/docs/sending-your-first-sms-via-unifonic-api
 */
export function unifonicProvider(
  { apiUrl, appSid, senderId }: Readonly<{ apiUrl: string; appSid: string; senderId: string }>,
  observers?: Partial<Observers>,
): SmsProvider {
  const fixed = { AppSid: appSid, SenderID: senderId, responseType: 'JSON' }
  return httpProvider(
    {
      name: 'unifonic',
      credentials: 'UNIFONIC_APP_SID',
      url: new URL('/rest/SMS/messages', apiUrl).href,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      toBody({ to, text, reference }) {
        const form = { ...fixed, Recipient: to.replace('+', ''), Body: text, CorrelationID: reference }
        return new URLSearchParams(form).toString()
      },
      toOutcome,
    },
    observers,
  )
}

/**
 * Reads receipts, which have a token. The provider documents or sends several names of fields.
 *
 * @see https://docs.unifonic.com/docs/receiving-delivery-status-via-webhook
 */
export function unifonicReceipts({ tokens }: { tokens: readonly string[] }): ReceiptReader {
  return tokenReceipts({ key: ['MessageID', 'messageId'], state: ['DLR', 'Status', 'status'] }, tokens)
}

function toOutcome({ status, json }: ProviderResponse): Outcome {
  const code = textMember(json, 'errorCode')
  const reason = `Unifonic returned ${status}${code === undefined ? '' : ` with code ${code}`}.`
  if (UNAVAILABLE.has(status)) return { outcome: 'unavailable', reason }
  if (status >= 300) return { outcome: 'rejected', reason }
  const success = member(json, 'success')
  if (success === false || success === 'false') return { outcome: 'rejected', reason }
  const data = member(json, 'data')
  const id = textMember(data, 'MessageID')
  if ((success !== true && success !== 'true') || id === undefined) {
    return { outcome: 'unknown', reason: `${reason} It names no message.` }
  }
  const state = textMember(data, 'Status')
  if (state !== undefined && FAILED.has(state.toLowerCase())) {
    return { outcome: 'rejected', reason: `${reason} The status is ${state}.` }
  }
  return { outcome: 'accepted', id }
}
