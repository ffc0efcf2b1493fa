import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../messages/index.ts'
import { etagOf, sendWithEtag } from './etag.ts'

type Kept = { body: Buffer; etag: string }

type Send = (
  request: FastifyRequest,
  response: FastifyReply,
  answer: { data: unknown; answer: () => unknown },
) => FastifyReply

/**
 * Sends answers that may be stored: with an `ETag`, and without a body to whom has it already (RFC 9110, 13.1.2). What
 * an operation answers with the same object again is checked and serialised once.
 */
export function cacheable(cacheControl: string): Send {
  const kept: Record<Language, WeakMap<object, Kept>> = { ar: new WeakMap(), en: new WeakMap() }

  return (request, response, { data, answer }) => {
    const known = kept[request.language]
    const key = data as object // what is stored has content
    const page = known.get(key) ?? keep(Buffer.from(textOf(response, answer())))
    known.set(key, page)

    response.header('cache-control', cacheControl).type('application/json; charset=utf-8')
    return sendWithEtag(request, response, page)
  }
}

/** Checked against the document, as what is not stored is. */
function textOf(response: FastifyReply, answer: unknown): string {
  const serialize = response.getSerializationFunction(String(response.statusCode), 'application/json')
  if (!serialize) throw new Error(`the document has no answer ${response.statusCode} here`)
  return serialize(answer as Record<string, unknown>)
}

function keep(body: Buffer): Kept {
  return { body, etag: etagOf(body) }
}
