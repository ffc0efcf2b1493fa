import { Agent, FormData, request } from 'undici'
import { bindings } from '../../generated/operations.ts'
import type { OperationId } from '../../src/contract.ts'
import { violations, type Body, type Received } from './answers.ts'
import { notePair } from './pairs.ts'

/** A field that stands more than once is a list. */
export type Form = Record<string, string | Blob | (string | Blob)[]>

export type Sent = {
  path?: Record<string, string>
  query?: Record<string, string | number>
  json?: unknown
  form?: Form
  /** Bytes as they are, of the media type `type` */
  raw?: string | Uint8Array
  type?: string
  token?: string | undefined
  language?: string
  headers?: Record<string, string>
}

export type Send = (sent?: Sent) => Promise<Received>

const dispatcher = new Agent({ keepAliveTimeout: 1000 })

/** Sends requests to one operation; an answer that breaks the document fails the test. */
export function sender(origin: string, id: OperationId, address: string): Send {
  const { method, path } = bindings[id]
  return async ({ path: inPath = {}, query = {}, json, form, raw, type, token, language = 'en', headers } = {}) => {
    const answer = await request(origin + pathOf(path, inPath), {
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
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      body: bodyOf(Buffer.from(await answer.body.arrayBuffer()), String(answer.headers['content-type'] ?? '')),
    }
    await judge(id, received)
    return received
  }
}

/** Sends again where the database has too much to do, as it may with many at once. */
export async function untilServed(send: Send, sent: Sent): Promise<Received> {
  for (;;) {
    const received = await send(sent)
    if (received.status !== 503) return received
  }
}

/** Fails when an answer breaks the document; counts it as seen otherwise. */
export async function judge(id: OperationId, received: Received): Promise<void> {
  const wrong = await violations(id, received)
  if (wrong.length > 0)
    throw new Error(`${id} ${received.status}: ${wrong.join('; ')}\n${JSON.stringify(received.body)}`)
  notePair(id, received.status)
}

function pathOf(template: string, values: Record<string, string>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** Bytes that are not JSON are what a test reads as `body`. */
function bodyOf(bytes: Buffer, type: string): Body {
  if (bytes.length > 0 && !type.startsWith('application/json')) return bytes as unknown as Body
  return JSON.parse(bytes.toString() || 'null') as Body
}

function formOf(fields: Form): FormData {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value)
  return form
}
