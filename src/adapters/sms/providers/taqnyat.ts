import type { Observers } from '../../../lib/observers.ts'
import type { SmsProvider } from '../index.ts'
import { tokenReceipts, type ReceiptReader } from '../receipts.ts'
import { httpProvider, textMember, UNAVAILABLE, type Outcome, type ProviderResponse } from './http-provider.ts'

/**
 * Sends through Taqnyat. The body repeats the status in `statusCode`, and lists the numbers that were accepted and
 * rejected as texts such as `[966512345678,]`. Numbers have no `+`.
 *
 * @see https://dev.taqnyat.sa/en/doc/sms/
 */
export function taqnyatProvider(
  { apiUrl, token, sender }: Readonly<{ apiUrl: string; token: string; sender: string }>,
  observers?: Partial<Observers>,
): SmsProvider {
  return httpProvider(
    {
      name: 'taqnyat',
      credentials: 'TAQNYAT_TOKEN',
      url: new URL('/v1/messages', apiUrl).href,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      toBody: ({ to, text }) => JSON.stringify({ recipients: [to.replace('+', '')], body: text, sender }),
      toOutcome,
    },
    observers,
  )
}

/**
 * Reads receipts, which have a token. The provider documents or sends several names of fields.
 *
 * @see https://dev.taqnyat.sa/en/doc/sms/
 */
export function taqnyatReceipts({ tokens }: { tokens: readonly string[] }): ReceiptReader {
  return tokenReceipts({ key: ['messageId', 'msgid', 'id'], state: ['status', 'deliveryStatus'] }, tokens)
}

function toOutcome({ status, json }: ProviderResponse): Outcome {
  const code = Number(textMember(json, 'statusCode') ?? status)
  const reason = `Taqnyat returned ${status}${code === status ? '' : ` with code ${code}`}.`
  if (UNAVAILABLE.has(status) || UNAVAILABLE.has(code)) return { outcome: 'unavailable', reason }
  if (status >= 300 || code >= 400) return { outcome: 'rejected', reason }
  if (hasNumber(json, 'rejected')) return { outcome: 'rejected', reason: `${reason} It rejected the number.` }
  if (!hasNumber(json, 'accepted')) return { outcome: 'unknown', reason: `${reason} It does not name the number.` }
  return { outcome: 'accepted', id: textMember(json, 'messageId') }
}

/** Returns whether a list of numbers, which is a text, is not empty. A request has one number. */
function hasNumber(json: unknown, list: string): boolean {
  return /\d/.test(textMember(json, list) ?? '')
}
