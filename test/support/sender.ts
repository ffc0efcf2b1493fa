import { Agent, FormData, request } from 'undici'
import { bindings } from '../../generated/operations.ts'
import type { OperationId } from '../../src/contract.ts'
import { violations, type Body, type Received } from './answers.ts'
import { notePair } from './pairs.ts'

export type Sent = {
  json?: unknown
  form?: Record<string, string | Blob>
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
  return async ({ json, form, raw, type, token, language = 'en', headers } = {}) => {
    const answer = await request(origin + path, {
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
      body: (await answer.body.json()) as Body,
    }
    await judge(id, received)
    return received
  }
}

/** Fails when an answer breaks the document; counts it as seen otherwise. */
export async function judge(id: OperationId, received: Received): Promise<void> {
  const wrong = await violations(id, received)
  if (wrong.length > 0)
    throw new Error(`${id} ${received.status}: ${wrong.join('; ')}\n${JSON.stringify(received.body)}`)
  notePair(id, received.status)
}

function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
