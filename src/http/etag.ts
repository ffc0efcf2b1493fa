import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { createHash } from 'node:crypto'

/** A strong validator (RFC 9110, 8.8.3): the same bytes have the same. */
export function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/** Sends a body with its `ETag`, or 304 to whom has it already (RFC 9110, 13.1.2). */
export function sendWithEtag(
  request: FastifyRequest,
  response: FastifyReply,
  { body, etag }: { body: Buffer; etag: string },
): FastifyReply {
  response.header('etag', etag)
  return fresh(request.headers, { etag }) ? response.code(304).send() : response.send(body)
}
