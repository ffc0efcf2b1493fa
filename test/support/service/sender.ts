import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, FormData, request } from 'undici'
import { bindings } from '../../../generated/operations.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { violations, type Body, type Received } from './responses.ts'
import { notePair } from './pairs.ts'

/** Form fields by name; a list repeats the field. */
export type Form = Record<string, string | Blob | (string | Blob)[]>

export type Sent = {
  path?: Record<string, string>
  query?: Record<string, string | number>
  json?: unknown
  form?: Form
  /** A raw body of the media type `type` */
  raw?: string | Uint8Array
  type?: string
  token?: string | undefined
  language?: string
  headers?: Record<string, string>
}

export type Send = (sent?: Sent) => Promise<Received>

const dispatcher = new Agent({ keepAliveTimeout: 1000 })

/** Returns a function that sends requests to an operation. It throws if a response violates the document. */
export function sender(origin: string, id: OperationId, address: string): Send {
  const { method, path } = bindings[id]
  return async ({ path: inPath = {}, query = {}, json, form, raw, type, token, language = 'en', headers } = {}) => {
    const response = await request(origin + pathOf(path, inPath), {
      query,
      dispatcher,
      method,
      headers: {
        'x-forwarded-for': address,
        'accept-language': language,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(type !== undefined && { 'content-type': type }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: json !== undefined ? JSON.stringify(json) : form ? formOf(form) : (raw ?? null),
    })
    const received = {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      body: bodyOf(Buffer.from(await response.body.arrayBuffer()), String(response.headers['content-type'] ?? '')),
    }
    await checkResponse(id, received)
    return received
  }
}

/** Less than the second after which an instance tries a dependency again */
const RETRY_MS = 300

/** Retries a request while the service returns 503, which it may under load. */
export async function untilServed(send: Send, sent: Sent): Promise<Received> {
  for (;;) {
    const received = await send(sent)
    if (received.status !== 503) return received
    await sleep(RETRY_MS)
  }
}

/** Throws if a response violates the document. Otherwise, records its operation and status as covered. */
export async function checkResponse(id: OperationId, received: Received): Promise<void> {
  const found = await violations(id, received)
  if (found.length > 0)
    throw new Error(`${id} ${received.status}: ${found.join('; ')}\n${JSON.stringify(received.body)}`)
  notePair(id, received.status)
}

function pathOf(template: string, values: Record<string, string>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** Parses JSON. Returns any other body as bytes. */
function bodyOf(bytes: Buffer, type: string): Body {
  if (bytes.length > 0 && !type.startsWith('application/json')) return bytes as unknown as Body
  return JSON.parse(bytes.toString() || 'null') as Body
}

function formOf(fields: Form): FormData {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value)
  return form
}
