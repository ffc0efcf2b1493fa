import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { createHash } from 'node:crypto'

/** A strong validator (RFC 9110, 8.8.3): the same bytes have the same. */
export function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/**
 * Sends a body with its `ETag`, or 304 if `If-None-Match` names it (RFC 9110, 13.1.2). Weak tags, lists and `*` match.
 * A request's `Cache-Control: no-cache`, which clients such as fetch add to such a request, is meant for caches on the
 * way and changes nothing here.
 */
export function sendWithEtag(
  request: FastifyRequest,
  response: FastifyReply,
  { body, etag }: { body: Buffer; etag: string },
): FastifyReply {
  response.header('etag', etag)
  const isKnown = fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag })
  return isKnown ? response.code(304).send() : response.send(body)
}
