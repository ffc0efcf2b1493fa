// Servers in place of the APIs of SMS providers, and clients of them.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import type { Answer, Api } from '../../../scripts/sms-simulator/responses.ts'
import { systemClock } from '../../../src/adapters/clock.ts'
import { aesSeal } from '../../../src/adapters/keys/seal.ts'
import { keyPresses } from '../../../src/adapters/sms/key-presses.ts'
import type { SmsProvider } from '../../../src/adapters/sms/index.ts'
import { taqnyatProvider } from '../../../src/adapters/sms/providers/taqnyat.ts'
import { twilioProvider, type TwilioOptions } from '../../../src/adapters/sms/providers/twilio.ts'
import { unifonicProvider } from '../../../src/adapters/sms/providers/unifonic.ts'
import { webhookProvider } from '../../../src/adapters/sms/providers/webhook.ts'
import type { Channel } from '../../../src/domain/phones/sms.ts'
import { localServer } from './local-server.ts'

export type ReceivedSms = { path: string | undefined; headers: IncomingHttpHeaders; text: string }
export type SmsServer = { origin: string; received: ReceivedSms[] }
export type Respond = (response: ServerResponse, text: string) => void

/** A message as a caller sends it */
export const SENT = {
  to: { e164: '+966512345678', callingCode: '966' },
  text: 'رمز 123456',
  speech: { prompt: 'اضغط {key}', text: 'رمز 1, 2, 3, 4, 5, 6' },
  code: '123456',
  reference: 'r-1',
  purpose: 'reset',
  language: 'ar',
  channel: 'sms',
  network: '192.0.2.1',
} as const

/** Starts a server that records requests, reads them to their end, and responds in one way. */
export async function smsServer(t: Pick<Test, 'teardown'>, respond: Respond): Promise<SmsServer> {
  const received: ReceivedSms[] = []
  const origin = await localServer(t, (request, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      received.push({ path: request.url, headers: request.headers, text })
      respond(response, text)
    })
  })
  return { origin, received }
}

export const answering =
  ({ status, body }: Answer): Respond =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const ACCOUNT = `AC${'a'.repeat(32)}`
export const TEMPLATES = { ar: `HX${'a'.repeat(32)}`, en: `HX${'e'.repeat(32)}` }
const TWILIO: Omit<TwilioOptions, 'apiUrl'> = {
  accountSid: ACCOUNT,
  authToken: 'secret',
  from: 'Tawthiq',
  whatsapp: { from: '+15557122661', contentSids: TEMPLATES },
  voice: {
    from: '+15557122662',
    url: 'https://api.example.sa/keys',
    keyPresses: keyPresses(aesSeal([Buffer.alloc(32, 'key')], 'test'), systemClock),
  },
}
const ALL: ReadonlySet<Channel> = new Set(['sms', 'whatsapp', 'voice'] as const)

export const newTwilio = (apiUrl: string, options?: Partial<TwilioOptions>): SmsProvider =>
  twilioProvider({ ...TWILIO, apiUrl, ...options })

/** Creates the client of each API, with every channel that it has. */
export const PROVIDERS: Readonly<Record<Api, (apiUrl: string) => SmsProvider>> = {
  twilio: newTwilio,
  twilioCalls: newTwilio,
  unifonic: (apiUrl) => unifonicProvider({ apiUrl, appSid: 'secret', senderId: 'Tawthiq' }),
  taqnyat: (apiUrl) => taqnyatProvider({ apiUrl, token: 'secret', sender: 'Tawthiq' }),
  webhook: (apiUrl) => webhookProvider(`${apiUrl}/webhook`, { token: 'secret', channels: ALL }),
}

/** The channel of each API */
export const CHANNEL_OF: Readonly<Record<Api, Channel>> = {
  twilio: 'sms',
  twilioCalls: 'voice',
  unifonic: 'sms',
  taqnyat: 'sms',
  webhook: 'sms',
}
