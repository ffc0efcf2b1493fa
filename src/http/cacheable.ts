import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { createHash } from 'node:crypto'
import type { Language } from '../messages/index.ts'

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
    const { body, etag } = known.get(key) ?? keep(Buffer.from(textOf(response, answer())))
    known.set(key, { body, etag })

    response.header('cache-control', cacheControl).header('etag', etag)
    if (fresh(request.headers, { etag })) return response.code(304).send()
    return response.type('application/json; charset=utf-8').send(body)
  }
}

/** Checked against the document, as what is not stored is. */
function textOf(response: FastifyReply, answer: unknown): string {
  const serialize = response.getSerializationFunction(String(response.statusCode), 'application/json')
  if (!serialize) throw new Error(`the document has no answer ${response.statusCode} here`)
  return serialize(answer as Record<string, unknown>)
}

function keep(body: Buffer): Kept {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}
