// Receipts of SMS providers, signed as the providers do.
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { signTwilio } from '../../../src/adapters/sms/providers/twilio.ts'
import { readConfig, type Config } from '../../../src/config/index.ts'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import type { Sent } from '../service/sender.ts'

export const RECEIPT_SETTINGS = {
  publicUrl: 'https://api.example.sa/accounts',
  authToken: 'twilio-auth-token',
  secret: `whsec_${Buffer.alloc(32, 'receipt').toString('base64')}`,
  oldSecret: `whsec_${Buffer.alloc(32, 'old').toString('base64')}`,
  token: 'receipt-token-of-forty-characters-123456',
}

/** Variables of all providers with receipts. `origin` is where their APIs are. */
export function receiptVariables(origin = 'http://127.0.0.1:9'): Record<string, string> {
  const { publicUrl, authToken, secret, oldSecret, token } = RECEIPT_SETTINGS
  return {
    PUBLIC_URL: `${publicUrl}/`,
    SMS_PROVIDERS: 'twilio,unifonic,taqnyat,webhook,webhook2',
    TWILIO_API_URL: origin,
    TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_FROM: 'Tawthiq',
    UNIFONIC_API_URL: origin,
    UNIFONIC_APP_SID: 'any',
    UNIFONIC_SENDER_ID: 'Tawthiq',
    UNIFONIC_RECEIPT_TOKENS: token,
    TAQNYAT_API_URL: origin,
    TAQNYAT_TOKEN: 'any',
    TAQNYAT_SENDER: 'Tawthiq',
    TAQNYAT_RECEIPT_TOKENS: token,
    SMS_WEBHOOK_URL: `${origin}/webhook`,
    SMS_WEBHOOK_RECEIPT_SECRETS: `${secret},${oldSecret}`,
    SMS_WEBHOOKS: JSON.stringify([{ name: 'webhook2', url: `${origin}/webhook2` }]),
  }
}

/** Returns the configuration of SMS with receipts. */
export function receiptsConfig(more: Record<string, string> = {}, origin?: string): Pick<Config, 'sms'> {
  const { sms } = readConfig({ NODE_ENV: 'test', KEYS: newKeys(), ...receiptVariables(origin), ...more })
  return { sms }
}

type Signing = { secret?: string; nowMs?: number }

/** Returns a signed request of the provider `webhook`. */
export function signedReceipts(
  receipts: unknown,
  { secret = RECEIPT_SETTINGS.secret, nowMs = Date.now() }: Signing = {},
): Sent {
  const raw = JSON.stringify({ receipts })
  const id = randomUUID()
  const signedAt = new Date(nowMs)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, signedAt, raw),
  }
  return { path: { provider: 'webhook' }, raw, type: 'application/json', headers }
}

/** Returns a request with a form, signed or with the token in its URL. */
export function formReceipt(provider: 'twilio' | 'unifonic' | 'taqnyat', fields: Record<string, string>): Sent {
  const url = `${RECEIPT_SETTINGS.publicUrl}/api/v1/webhooks/sms/${provider}`
  const sent = {
    path: { provider },
    raw: new URLSearchParams(fields).toString(),
    type: 'application/x-www-form-urlencoded; charset=UTF-8',
  }
  if (provider !== 'twilio') return { ...sent, query: { token: RECEIPT_SETTINGS.token } }
  return { ...sent, headers: { 'x-twilio-signature': signTwilio(url, fields, RECEIPT_SETTINGS.authToken) } }
}
