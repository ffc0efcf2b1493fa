import type { Observers } from '../../../lib/observers.ts'
import type { SmsProvider } from '../index.ts'
import { httpProvider, type ProviderResponse, type Verdict } from './http-provider.ts'
import { textMember } from './json-fields.ts'

export type TwilioOptions = Readonly<{
  apiUrl: string
  accountSid: string
  authToken: string
  /** A phone number, an alphanumeric sender ID, or the SID of a messaging service (`MG…`) */
  from: string
  /** URL to which Twilio reports deliveries */
  statusCallback?: string | undefined
}>

/** The statuses of a message that will not be sent */
const FAILED = new Set(['failed', 'undelivered', 'canceled'])
/** An invalid token, a suspended account, or too many requests */
const UNAVAILABLE = new Set([401, 403, 429])

/**
 * Sends through Twilio Messaging.
 *
 * @see https://www.twilio.com/docs/messaging/api/message-resource
 */
export function twilioProvider(
  { apiUrl, accountSid, authToken, from, statusCallback }: TwilioOptions,
  observers?: Partial<Observers>,
): SmsProvider {
  const url = new URL(`/2010-04-01/Accounts/${accountSid}/Messages.json`, apiUrl).href
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  }
  const sender = /^MG[0-9a-f]{32}$/.test(from) ? { MessagingServiceSid: from } : { From: from }
  const callback = statusCallback === undefined ? {} : { StatusCallback: statusCallback }
  return httpProvider(
    {
      name: 'twilio',
      toRequest: ({ to, text }) => ({
        url,
        headers,
        body: new URLSearchParams({ To: to, ...sender, Body: text, ...callback }).toString(),
      }),
      judge,
    },
    observers,
  )
}

function judge({ status, json }: ProviderResponse): Verdict {
  const code = textMember(json, 'code')
  const reason = `Twilio returned ${status}${code === undefined ? '' : ` with code ${code}`}.`
  if (UNAVAILABLE.has(status)) return { outcome: 'unavailable', reason }
  if (status >= 300) return { outcome: 'rejected', reason }
  const id = textMember(json, 'sid')
  const state = textMember(json, 'status')
  if (id === undefined || state === undefined) return { outcome: 'unknown', reason: `${reason} It names no message.` }
  if (FAILED.has(state)) return { outcome: 'rejected', reason: `${reason} The status is ${state}.` }
  return { outcome: 'accepted', id }
}
