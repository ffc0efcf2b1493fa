import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { ANSWERS, type Answers, type Api, type Case } from './responses.ts'
import { reporter, type ReceiptOptions, type Reported } from './receipts.ts'

export type ReceivedMessage = Readonly<{
  provider: Api
  channel: string
  to: string
  text: string
  receivedAt: string
}>

const MESSAGES_MAX = 100

/** The last digits of numbers that select another response than `accepted` */
export const CASES: Readonly<Record<string, Case>> = {
  '0400': 'rejected',
  '0401': 'wrong credentials',
  '0429': 'too many requests',
  '0500': 'server error',
  '0503': 'unavailable',
}
/** The last digits of numbers that WhatsApp messages are rejected for */
export const NOT_ON_WHATSAPP = '0404'
/** The last digits of numbers for which the response never comes */
export const SILENT = '0000'
/** The last digits of numbers whose messages are accepted and not delivered: without a receipt, or with a negative one */
export const UNDELIVERED: Readonly<Record<string, 'lost' | 'failed'>> = { '0405': 'lost', '0410': 'failed' }

type Fields = Readonly<Record<string, unknown>>
type Received = { to: unknown; text: unknown; channel?: unknown }

/** The path of each API, and its names of the number and the text */
const APIS: Readonly<Record<Api, { path: string; read: (fields: Fields) => Received }>> = {
  twilio: { path: '/2010-04-01/Accounts/:account/Messages.json', read: readTwilioMessage },
  twilioCalls: {
    path: '/2010-04-01/Accounts/:account/Calls.json',
    read: ({ To: to, Twiml: text }) => ({ to, text, channel: 'voice' }),
  },
  unifonic: { path: '/rest/SMS/messages', read: ({ Recipient: to, Body: text }) => ({ to, text }) },
  taqnyat: { path: '/v1/messages', read: ({ recipients, body: text }) => ({ to: [recipients].flat()[0], text }) },
  webhook: { path: '/webhook', read: ({ to, text, channel }) => ({ to, text, channel }) },
}

/**
 * Creates a server that speaks the APIs of all providers, and lists the messages that it received at `GET /`. With
 * `receipts`, it reports what became of accepted messages.
 */
export function createSimulator(
  onMessage: (message: ReceivedMessage) => void = () => undefined,
  receipts?: ReceiptOptions,
): FastifyInstance {
  const messages: ReceivedMessage[] = []
  const report = receipts && reporter(receipts)
  const server = fastify()
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  server.get('/', () => messages)
  for (const [name, { path, read }] of Object.entries(APIS)) {
    const provider = name as Api // APIS has exactly these keys
    server.post(path, async (request: FastifyRequest, reply) => {
      const { to, text, channel = 'sms' } = read((request.body ?? {}) as Fields)
      const digits = String(to).slice(-4)
      if (digits === SILENT) return reply.hijack()
      const id = newId(provider)
      const isOffWhatsApp = channel === 'whatsapp' && digits === NOT_ON_WHATSAPP
      const answers: Answers = ANSWERS[provider]
      const rejection = isOffWhatsApp ? answers['not on WhatsApp'] : undefined
      const answer = rejection ?? answers[CASES[digits] ?? 'accepted']
      if (answer.status < 300 && CASES[digits] === undefined) {
        const receivedAt = new Date().toISOString()
        const message = { provider, channel: String(channel), to: String(to), text: String(text), receivedAt }
        messages.unshift(message)
        messages.splice(MESSAGES_MAX)
        onMessage(message)
        const state = UNDELIVERED[digits] ?? 'delivered'
        if (state !== 'lost') report?.(provider, toReported(request, { id, state }))
      }
      return reply.code(answer.status).send(forMessage(answer.body, String(to), id))
    })
  }
  return server
}

/** A WhatsApp message has a template instead of a text. */
function readTwilioMessage({ To: to, Body: text, ContentSid: template, ContentVariables: values }: Fields): Received {
  const [, number] = /^whatsapp:(.*)/.exec(String(to)) ?? []
  if (number === undefined) return { to, text }
  return { to: number, text: `${String(template)} ${String(values)}`, channel: 'whatsapp' }
}

/** Twilio's identifiers have a prefix; those of the others are numbers. */
function newId(provider: Api): string {
  const id = String(Date.now()) + String(Math.random()).slice(2, 5)
  if (provider === 'twilio') return `SM${id.padStart(32, '0')}`
  return provider === 'twilioCalls' ? `CA${id.padStart(32, '0')}` : id
}

function toReported({ body, headers }: FastifyRequest, about: Pick<Reported, 'id' | 'state'>): Reported {
  const { reference, StatusCallback: callback } = (body ?? {}) as Fields
  const credentials = Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64').toString()
  return { ...about, reference: String(reference), callback, password: credentials.split(':')[1] ?? '' }
}

const IDS = new Set(['sid', 'MessageID', 'messageId'])

/** Returns a documented response with the number of the request, and an identifier of its own. */
function forMessage(body: Fields, to: string, id: string): unknown {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (name === 'to') return to
    if (IDS.has(name)) return typeof value === 'number' ? Number(id) : id
    return typeof value === 'string' && /^\[\d+,\]$/.test(value) ? `[${to.replace('+', '')},]` : value
  })
}
