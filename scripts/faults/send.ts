import { Agent, request, type FormData } from 'undici'

/** The outcome of a request. The status is 0 if there was no response. */
export type Sample = { operation: string; startMs: number; ms: number; status: number; code: string }

export type Received = { status: number; code: string; requestId: string; data: unknown; bytes: Buffer }

export type Sent = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  token?: string
  json?: object
  /** A merge patch (RFC 7396) */
  patch?: object
  form?: FormData
}

/** Longer than any response may take, so that a response that is too late is measured */
const RESPONSE_MS_MAX = 30_000

/** A pause of the service opens many connections, which are closed after it, so that their number says something. */
const IDLE_MS_MAX = 2000

const agent = new Agent({
  headersTimeout: RESPONSE_MS_MAX,
  bodyTimeout: RESPONSE_MS_MAX,
  keepAliveMaxTimeout: IDLE_MS_MAX,
})
let addresses = 0

/** Sends a request from a client address of its own, so that no limit of a network applies. */
export async function send(url: string, { method = 'GET', token, json, patch, form }: Sent = {}): Promise<Received> {
  const number = ++addresses
  const type = json ? 'application/json' : patch ? 'application/merge-patch+json' : undefined
  const { statusCode, headers, body } = await request(url, {
    method,
    dispatcher: agent,
    headers: {
      'x-forwarded-for': `11.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(type !== undefined && { 'content-type': type }),
    },
    body: form ?? ((json ?? patch) ? JSON.stringify(json ?? patch) : null),
  })
  const bytes = Buffer.from(await body.arrayBuffer())
  const isJson = String(headers['content-type']).includes('json')
  const { data } = (isJson ? JSON.parse(bytes.toString()) : {}) as { data?: unknown }
  const text = (name: string): string => String(headers[name] ?? '')
  return { status: statusCode, code: text('error-code'), requestId: text('x-request-id'), data, bytes }
}
