import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, FormData, request, type Dispatcher } from 'undici'

/** A field of a form; a list is sent as repeated fields */
type Field = string | Blob | readonly (string | Blob)[]

export type Sent = Readonly<{
  path: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  token?: string
  headers?: Readonly<Record<string, string>>
  json?: object
  /** A merge patch (RFC 7396) */
  patch?: object
  form?: Readonly<Record<string, Field>>
}>

export type Received = { status: number; code: string; requestId: string; data: unknown; bytes: Buffer }

/** Longer than any response may take, so that a response that is too late is measured */
const RESPONSE_MS_MAX = 30_000

/** A pause of the service opens many connections, which are closed after it, so that their number says something. */
const IDLE_MS_MAX = 2000

const UNAVAILABLE = 503
const RETRY_MS = 1000
const TRIES_MAX = 30

const agent = new Agent({
  headersTimeout: RESPONSE_MS_MAX,
  bodyTimeout: RESPONSE_MS_MAX,
  keepAliveMaxTimeout: IDLE_MS_MAX,
})
let addresses = 0

/** Sends a request from a client address of its own, so that no limit of a network applies. */
export async function send(
  origin: string,
  sent: Sent,
  via: Partial<Dispatcher.RequestOptions> & { dispatcher?: Dispatcher } = {},
): Promise<Received> {
  const { statusCode, headers, body } = await request(origin + sent.path, {
    dispatcher: agent,
    ...via,
    ...optionsOf(sent),
  })
  const bytes = Buffer.from(await body.arrayBuffer())
  const isJson = String(headers['content-type']).includes('json')
  const { data } = (isJson ? JSON.parse(bytes.toString()) : {}) as { data?: unknown }
  const text = (name: string): string => String(headers[name] ?? '')
  return { status: statusCode, code: text('error-code'), requestId: text('x-request-id'), data, bytes }
}

type Options = { method: NonNullable<Sent['method']>; headers: Record<string, string>; body: FormData | string | null }

/** Returns what is sent, from a client address of its own. */
export function optionsOf({ method = 'GET', token, headers: given, json, patch, form }: Sent): Options {
  const number = ++addresses
  const type = json ? 'application/json' : patch ? 'application/merge-patch+json' : undefined
  return {
    method,
    headers: {
      'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(type !== undefined && { 'content-type': type }),
      ...given,
    },
    body: form ? toFormData(form) : (json ?? patch) ? JSON.stringify(json ?? patch) : null,
  }
}

/** Sends a request, again while the service is overloaded or unavailable. */
export async function sendPatiently(origin: string, sent: Sent): Promise<Received> {
  for (let tries = 1; ; tries++) {
    const received = await send(origin, sent)
    if (received.status !== UNAVAILABLE || tries === TRIES_MAX) return received
    await sleep(RETRY_MS)
  }
}

/** Sends a request that must succeed. Returns the data of the response. */
export async function sendValid(origin: string, sent: Sent): Promise<unknown> {
  const { status, code, data } = await sendPatiently(origin, sent)
  if (status >= 300) throw new Error(`${sent.path}: ${status} ${code} ${JSON.stringify(data)}`)
  return data
}

function toFormData(fields: NonNullable<Sent['form']>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of [value].flat())
      if (typeof each === 'string') data.append(name, each)
      else data.append(name, each, 'photo.jpg')
  }
  return data
}
