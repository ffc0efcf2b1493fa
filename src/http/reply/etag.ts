import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { createHash } from 'node:crypto'

/** Computes a strong validator (RFC 9110, 8.8.3): equal bytes have equal tags. */
export function computeEtag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/**
 * Sends a body with its `ETag`, or 304 if `If-None-Match` names it (RFC 9110, 13.1.2). Weak tags, lists and `*` match.
 * `Cache-Control: no-cache` in the request, which clients such as fetch add, is for caches on the way and is ignored here.
 */
export function sendWithEtag(
  request: FastifyRequest,
  response: FastifyReply,
  { body, etag }: { body: Buffer; etag: string },
): FastifyReply {
  response.header('etag', etag)
  return isKnown(request, etag) ? response.code(304).send() : response.send(body)
}

/** Returns whether `If-None-Match` names a tag. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag })
}
