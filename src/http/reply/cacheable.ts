import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../../messages/index.ts'
import { computeEtag, sendWithEtag } from './etag.ts'

type Page = { body: Buffer; etag: string }

type Send = (
  request: FastifyRequest,
  response: FastifyReply,
  content: { data: unknown; toBody: () => unknown },
) => FastifyReply

/**
 * Sends responses that may be cached: with an `ETag`, and without a body if the client has it already (RFC 9110, 13.1.2).
 * When an operation returns the same object again, its page is reused.
 */
export function cacheable(cacheControl: string): Send {
  const pages: Record<Language, WeakMap<object, Page>> = { ar: new WeakMap(), en: new WeakMap() }

  return (request, response, { data, toBody }) => {
    const known = pages[request.language]
    const key = data as object // cacheable data is never null
    const page = known.get(key) ?? withEtag(Buffer.from(serialize(response, toBody())))
    known.set(key, page)

    response.header('cache-control', cacheControl).type('application/json; charset=utf-8')
    return sendWithEtag(request, response, page)
  }
}

/** Serializes a body, and checks it against the document. */
function serialize(response: FastifyReply, body: unknown): string {
  const serialize = response.getSerializationFunction(String(response.statusCode), 'application/json')
  if (!serialize) throw new Error(`the document declares no response ${response.statusCode} for this operation`)
  return serialize(body as Record<string, unknown>)
}

function withEtag(body: Buffer): Page {
  return { body, etag: computeEtag(body) }
}
