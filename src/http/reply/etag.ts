import type { FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { hash } from 'node:crypto'

/** Computes a strong validator (RFC 9110, 8.8.3): equal bytes have equal tags. */
export function computeEtag(body: Buffer | string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
}

/**
 * Returns whether `If-None-Match` names a tag (RFC 9110, 13.1.2). Weak tags, lists and `*` match. `Cache-Control: no-cache`
 * in the request, which clients such as fetch add, is for caches on the way and is ignored here.
 */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']
  return known === etag || (known !== undefined && fresh({ 'if-none-match': known }, { etag }))
}
