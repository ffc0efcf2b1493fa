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
type Build = (reported: Reported, options: ReceiptOptions) => Receipt | undefined

const BUILDERS: Readonly<Record<Api, Build>> = {
  twilio: twilio('Message', { delivered: 'delivered', failed: 'undelivered' }),
  twilioCalls: twilio('Call', { delivered: 'completed', failed: 'failed' }),
  unifonic({ id, state }, { url, token }) {
    const fields = { MessageID: id, DLR: state === 'failed' ? 'Undeliverable' : 'Delivered' }
    return form(`${addressOf(url, 'unifonic')}?token=${token}`, fields)
  },
  taqnyat: ({ id, state }, { url, token }) =>
    json(`${addressOf(url, 'taqnyat')}?token=${token}`, { messageId: id, status: state }),
  webhook({ reference, state }, { url, secret }) {
    const receipt = json(addressOf(url, 'webhook'), { receipts: [{ reference, state }] })
    return { ...receipt, headers: { ...receipt.headers, ...signature(secret, receipt.body) } }
  },
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
    return form(callback, fields, { 'x-twilio-signature': signTwilio(callback, fields, password) })
  }
}

function form(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Receipt {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return { url, headers: { ...type, ...headers }, body: new URLSearchParams(fields).toString() }
}

function json(url: string, content: object): Receipt {
  return { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) }
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

function addressOf(url: string, provider: Api): string {
  return `${url.replace(/\/+$/, '')}/api/v1/webhooks/sms/${provider}`
}
