// The requests whose connections are cut, as bytes.
import { randomUUID } from 'node:crypto'
import { signature } from '../../../scripts/sms-simulator/receipts.ts'
import type { Target } from './axes.ts'

/** What the requests are sent to, and with */
export type Site = Readonly<{
  origin: string
  /** The origin of the management port; undefined if there is none */
  management: string | undefined
  token: string
  /** The fields of an update of the profile, with at least one file */
  form: Iterable<readonly [name: string, value: string | Blob]>
  /** The path of a file, with its query */
  filePath: string
  /** The secret that signs SMS receipts */
  receiptSecret: string
}>

export type CutRequest = Readonly<{
  port: number
  /** The request line */
  line: string
  headers: readonly string[]
  body: Buffer
}>

/** Gives requests client addresses of their own, so that no limit of a network applies behind a trusted proxy. */
let addresses = 0

type Parts = Readonly<{ line: string; headers?: readonly string[]; body?: Buffer; origin?: string | undefined }>

const BUILDERS: Readonly<Record<Target, (site: Site) => Parts | Promise<Parts>>> = {
  health: () => ({ line: 'GET /health/live HTTP/1.1' }),
  docs: () => ({ line: 'GET /docs/en/ HTTP/1.1' }),
  JSON: () => json('/api/v1/auth/login', JSON.stringify({ email: `${randomUUID()}@example.org`, password: 'olive' })),
  form: ({ form, token }) => multipart('PUT /api/v1/profile HTTP/1.1', form, token),
  'file download': ({ filePath, token }) => ({ line: `GET ${filePath} HTTP/1.1`, headers: [authorization(token)] }),
  export: ({ token }) => ({ line: 'GET /api/v1/account/export HTTP/1.1', headers: [authorization(token)] }),
  'unknown path': () => ({ line: `GET /no/such/${randomUUID()} HTTP/1.1` }),
  receipts: ({ receiptSecret }) => receipts(receiptSecret),
  'management port': ({ management }) => ({ line: 'GET /metrics HTTP/1.1', origin: management }),
}

/** Builds the request to a target. `compresses` sends the encodings of a browser. */
export async function buildRequest(target: Target, site: Site, compresses: boolean): Promise<CutRequest> {
  const { line, headers = [], body = Buffer.alloc(0), origin = site.origin } = await BUILDERS[target](site)
  const number = ++addresses
  return {
    port: Number(new URL(origin).port),
    line,
    headers: [
      'Host: localhost',
      `X-Forwarded-For: 11.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      ...(compresses ? ['Accept-Encoding: gzip, deflate, br'] : []),
      ...headers,
      ...(body.length > 0 ? [`Content-Length: ${body.length}`] : []),
    ],
    body,
  }
}

function authorization(token: string): string {
  return `Authorization: Bearer ${token}`
}

function json(path: string, text: string, headers: readonly string[] = []): Parts {
  return {
    line: `POST ${path} HTTP/1.1`,
    headers: ['Content-Type: application/json', ...headers],
    body: Buffer.from(text),
  }
}

async function multipart(line: string, form: Site['form'], token: string): Promise<Parts> {
  const data = new FormData()
  for (const [name, value] of form) data.append(name, value)
  const request = new Request('http://localhost/', { method: 'PUT', body: data })
  const type = request.headers.get('content-type') ?? ''
  const body = Buffer.from(await request.arrayBuffer())
  return { line, headers: [`Content-Type: ${type}`, authorization(token)], body }
}

function receipts(secret: string): Parts {
  const text = JSON.stringify({ receipts: [{ reference: randomUUID(), state: 'delivered' }] })
  const headers = Object.entries(signature(secret, text)).map(([name, value]) => `${name}: ${value}`)
  return json('/api/v1/webhooks/sms/webhook', text, headers)
}
