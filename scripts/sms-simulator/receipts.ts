// Receipts of the simulated providers, signed as the real ones are.
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { signTwilio } from '../../src/adapters/sms/providers/twilio.ts'
import type { Api } from './responses.ts'

export type ReceiptOptions = Readonly<{
  /** The URL of the service */
  url: string
  /** The token of providers that do not sign */
  token: string
  /** The secret of the provider `webhook` */
  secret: string
  /** Delay of a receipt in milliseconds */
  delayMs?: number
  onError?: (error: unknown) => void
}>

/** An accepted message, and what became of it */
export type Reported = Readonly<{
  id: string
  reference: string
  state: 'delivered' | 'failed'
  /** `StatusCallback` of Twilio */
  callback: unknown
  /** The password of the request, with which Twilio signs */
  password: string
}>

type Receipt = { url: string; body: string; headers: Record<string, string> }

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Returns functions that send the receipt of a message later. */
export function reporter(options: ReceiptOptions): Readonly<Record<Api, (reported: Reported) => void>> {
  const { delayMs = 1000, onError = () => undefined } = options
  const send =
    (build: (reported: Reported, options: ReceiptOptions) => Receipt | undefined) => (reported: Reported) => {
      const receipt = build(reported, options)
      if (!receipt) return
      const { url, ...request } = receipt
      const post = async (): Promise<void> => {
        const { status } = await fetch(url, { method: 'POST', ...request })
        if (status !== 200) onError(new Error(`The service returned ${status} for a receipt.`))
      }
      setTimeout(() => void post().catch(onError), delayMs).unref()
    }
  return {
    twilio: send(twilio),
    twilioCalls: send(twilioCall),
    unifonic: send(unifonic),
    taqnyat: send(taqnyat),
    webhook: send(webhook),
  }
}

function twilio(reported: Reported): Receipt | undefined {
  const { id, state } = reported
  return twilioForm({ MessageSid: id, MessageStatus: state === 'failed' ? 'undelivered' : state }, reported)
}

function twilioCall(reported: Reported): Receipt | undefined {
  const { id, state } = reported
  return twilioForm({ CallSid: id, CallStatus: state === 'failed' ? 'failed' : 'completed' }, reported)
}

/** Twilio sends none without a callback. */
function twilioForm(fields: Record<string, string>, { callback, password }: Reported): Receipt | undefined {
  if (typeof callback !== 'string') return undefined
  const headers = { ...FORM, 'x-twilio-signature': signTwilio(callback, fields, password) }
  return { url: callback, headers, body: new URLSearchParams(fields).toString() }
}

function unifonic({ id, state }: Reported, { url, token }: ReceiptOptions): Receipt {
  const fields = { MessageID: id, DLR: state === 'failed' ? 'Undeliverable' : 'Delivered' }
  return { url: addressOf(url, 'unifonic', token), headers: FORM, body: new URLSearchParams(fields).toString() }
}

function taqnyat({ id, state }: Reported, { url, token }: ReceiptOptions): Receipt {
  const body = JSON.stringify({ messageId: id, status: state })
  return { url: addressOf(url, 'taqnyat', token), headers: JSON_TYPE, body }
}

function webhook({ reference, state }: Reported, { url, secret }: ReceiptOptions): Receipt {
  const body = JSON.stringify({ receipts: [{ reference, state }] })
  const [id, now] = [randomUUID(), new Date()]
  const headers = {
    ...JSON_TYPE,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
  return { url: addressOf(url, 'webhook'), headers, body }
}

function addressOf(url: string, provider: Api, token?: string): string {
  const query = token === undefined ? '' : `?token=${token}`
  return `${url.replace(/\/+$/, '')}/api/v1/webhooks/sms/${provider}${query}`
}
