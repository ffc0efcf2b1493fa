import { createHmac } from 'node:crypto'
import type { Channel, Language } from '../../../domain/phones/sms.ts'
import type { Observers } from '../../../lib/observers.ts'
import { isSame } from '../../keys/keyed-hash.ts'
import type { KeyPresses } from '../key-presses.ts'
import { SmsRefused, type SmsMessage, type SmsProvider } from '../index.ts'
import { readReceipt, type ReceiptFields, type ReceiptReader } from '../receipts.ts'
import { httpProvider, textMember, UNAVAILABLE, type Outcome, type ProviderResponse } from './http-provider.ts'

/** The statuses of a message that will not be sent, and of a call that will not be made */
const FAILED = new Set(['failed', 'undelivered', 'canceled'])

/** Final states of messages and calls. An unanswered call has reached the number, so it is no failure. */
const RECEIPT: ReceiptFields = {
  key: ['MessageSid', 'CallSid'],
  state: ['MessageStatus', 'CallStatus'],
  states: {
    delivered: 'delivered',
    read: 'delivered',
    completed: 'delivered',
    undelivered: 'failed',
    failed: 'failed',
  },
}

export type TwilioOptions = Readonly<{
  apiUrl: string
  accountSid: string
  authToken: string
  /** URL to which Twilio reports deliveries */
  statusCallback?: string | undefined
  /** A phone number, an alphanumeric sender ID, or the SID of a messaging service (`MG…`) */
  from: string
  /** Undefined: no messages by WhatsApp. `from` is a phone number or a messaging service. */
  whatsapp?: Readonly<{ from: string; contentSids: Readonly<Record<Language, string>> }> | undefined
  /** Undefined: no calls. `from` is a phone number. Pressed keys are posted to `url`. */
  voice?: Readonly<{ from: string; url: string; keyPresses: KeyPresses }> | undefined
}>

type ToForm = (message: SmsMessage) => Record<string, string>

/** Sends through Twilio: SMS, and WhatsApp messages and calls if they are configured. */
export function twilioProvider(
  { apiUrl, accountSid, authToken, statusCallback, from, whatsapp, voice }: TwilioOptions,
  observers?: Partial<Observers>,
): SmsProvider {
  const callback = statusCallback === undefined ? {} : { StatusCallback: statusCallback }
  /** Each product has a name, and so a circuit breaker, of its own: the fault of one does not stop another one. */
  const create = (name: string, path: 'Messages.json' | 'Calls.json', toForm: ToForm): SmsProvider =>
    httpProvider(
      {
        name,
        credentials: 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN',
        url: new URL(`/2010-04-01/Accounts/${accountSid}/${path}`, apiUrl).href,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
        },
        toBody: (message) => new URLSearchParams({ ...toForm(message), ...callback }).toString(),
        toOutcome,
      },
      observers,
    )
  const byChannel = new Map<Channel, SmsProvider>([['sms', create('twilio', 'Messages.json', smsForm(from))]])
  if (whatsapp) byChannel.set('whatsapp', create('twilio_whatsapp', 'Messages.json', templateForm(whatsapp)))
  if (voice) byChannel.set('voice', create('twilio_voice', 'Calls.json', callForm(voice)))
  return {
    name: 'twilio',
    channels: new Set(byChannel.keys()),
    async send(message, timeoutMs) {
      const provider = byChannel.get(message.channel)
      if (!provider) throw new SmsRefused(`Twilio is not configured for the channel ${message.channel}.`)
      return provider.send(message, timeoutMs)
    },
  }
}

/** @see https://www.twilio.com/docs/messaging/api/message-resource */
function smsForm(from: string): ToForm {
  const sender = toSender(from)
  return ({ to, text }) => ({ To: to, ...sender, Body: text })
}

/**
 * Sends an authentication template: WhatsApp defines its text, and the code is its only variable.
 *
 * @see https://www.twilio.com/docs/content/whatsappauthentication
 */
function templateForm({ from, contentSids }: NonNullable<TwilioOptions['whatsapp']>): ToForm {
  const sender = toSender(from, 'whatsapp:')
  return ({ to, language, code = '' }) => ({
    To: `whatsapp:${to}`,
    ...sender,
    ContentSid: contentSids[language],
    ContentVariables: JSON.stringify({ 1: code }),
  })
}

/**
 * Calls the number, and reads the text aloud after a key was pressed.
 *
 * @see https://www.twilio.com/docs/voice/api/call-resource
 */
function callForm({ from, url, keyPresses }: NonNullable<TwilioOptions['voice']>): ToForm {
  return (message) => ({ To: message.to, From: from, Twiml: keyPresses.ask(message, url) })
}

function toSender(from: string, prefix = ''): Record<string, string> {
  return /^MG[0-9a-f]{32}$/.test(from) ? { MessagingServiceSid: from } : { From: `${prefix}${from}` }
}

function toOutcome({ status, json }: ProviderResponse): Outcome {
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
    read: ({ fields }) => readReceipt(fields, RECEIPT),
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
