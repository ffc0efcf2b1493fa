import type { Observers } from '../../../lib/observers.ts'
import type { SmsMessage, SmsProvider } from '../index.ts'
import { httpProvider, type ProviderResponse, type Outcome } from './http-provider.ts'
import { textMember } from './json-fields.ts'

export type TwilioAccount = Readonly<{
  apiUrl: string
  accountSid: string
  authToken: string
  /** URL to which Twilio reports deliveries */
  statusCallback?: string | undefined
}>

type Resource = Readonly<{
  account: TwilioAccount
  /** The name of the circuit breaker: a fault of one product does not stop another one */
  name: string
  path: 'Messages.json' | 'Calls.json'
  toForm(message: SmsMessage): Record<string, string>
}>

/** The statuses of a message that will not be sent, and of a call that will not be made */
const FAILED = new Set(['failed', 'undelivered', 'canceled'])
/** An invalid token, a suspended account, or too many requests */
const UNAVAILABLE = new Set([401, 403, 429])

/** Returns a provider that creates messages or calls of an account. */
export function twilioResource(
  { account: { apiUrl, accountSid, authToken, statusCallback }, name, path, toForm }: Resource,
  observers?: Partial<Observers>,
): SmsProvider {
  const url = new URL(`/2010-04-01/Accounts/${accountSid}/${path}`, apiUrl).href
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  }
  const callback = statusCallback === undefined ? {} : { StatusCallback: statusCallback }
  const toRequest = (message: SmsMessage): { url: string; headers: typeof headers; body: string } => {
    return { url, headers, body: new URLSearchParams({ ...toForm(message), ...callback }).toString() }
  }
  return httpProvider({ name, credentials: 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN', toRequest, judge }, observers)
}

function judge({ status, json }: ProviderResponse): Outcome {
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
