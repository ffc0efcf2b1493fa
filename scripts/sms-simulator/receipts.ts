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

type Build = (reported: Reported, options: ReceiptOptions) => Receipt | undefined

const BUILDERS: Readonly<Record<Api, Build>> = {
  twilio: twilio('Message', { delivered: 'delivered', failed: 'undelivered' }),
  twilioCalls: twilio('Call', { delivered: 'completed', failed: 'failed' }),
  unifonic,
  taqnyat,
  webhook,
}

/** Returns a function that sends the receipt of a message later. */
export function reporter(options: ReceiptOptions): (provider: Api, reported: Reported) => void {
  const { delayMs = 1000, onError = () => undefined } = options
  return (provider, reported) => {
    const { url, ...request } = BUILDERS[provider](reported, options) ?? {}
    if (url === undefined) return
    const post = async (): Promise<void> => {
      const { status } = await fetch(url, { method: 'POST', ...request })
      if (status !== 200) onError(new Error(`The service returned ${status} for a receipt.`))
    }
    setTimeout(() => void post().catch(onError), delayMs).unref()
  }
}

/** Twilio sends none without a callback. */
function twilio(kind: 'Message' | 'Call', states: Readonly<Record<Reported['state'], string>>): Build {
  return ({ id, state, callback, password }) => {
    if (typeof callback !== 'string') return undefined
    const fields = { [`${kind}Sid`]: id, [`${kind}Status`]: states[state] }
    const headers = { ...FORM, 'x-twilio-signature': signTwilio(callback, fields, password) }
    return { url: callback, headers, body: new URLSearchParams(fields).toString() }
  }
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
  return { url: addressOf(url, 'webhook'), headers: { ...JSON_TYPE, ...signature(secret, body) }, body }
}

/** Returns the headers that sign a body (Standard Webhooks). */
export function signature(secret: string, body: string): Record<string, string> {
  const [id, now] = [randomUUID(), new Date()]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
}

function addressOf(url: string, provider: Api, token?: string): string {
  const query = token === undefined ? '' : `?token=${token}`
  return `${url.replace(/\/+$/, '')}/api/v1/webhooks/sms/${provider}${query}`
}
