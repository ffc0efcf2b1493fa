import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify'
import fresh from 'fresh'
import { hash } from 'node:crypto'
import type { Language } from '../../messages/index.ts'

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
  return known === etag || (known !== undefined && fresh({ 'if-none-match': known.replaceAll('\t', ' ') }, { etag }))
}

/** Removes the length that Fastify gives a 304 to HEAD: zero is not that of the content (RFC 9110, 8.6). */
export function removeLengthOf304(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return
    const remove: onSendHookHandler = (_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length')
      done(null, payload)
    }
    route.onSend = [route.onSend ?? [], remove].flat()
  })
}

/** The version of the content, and as many characters as a hash of `computeEtag` has */
const VERSIONED = /^(.+)-[\w-]{22}$/
/** A tag of a list (RFC 9110, 8.8.3) */
const TAGS = /(W\/)?"([\x21\x23-\x7E\x80-\xFF]*)"/g

/** What precedes the content in an envelope. A message has no such text, as its quotation marks are escaped. */
const DATA = Buffer.from(',"data":')

/**
 * Returns a strong validator of content that has a version: the version, a hash of the content with its links, and the
 * language of the response.
 *
 * @param body the JSON of an envelope. Its message, which is another one after an update, is not part of the content.
 */
export function versionEtag(version: string, language: Language, body: Buffer): string {
  const { length } = language
  return `"${version}-${computeEtag(body.subarray(body.indexOf(DATA))).slice(1, -1 - length)}${language}"`
}

/**
 * Returns the versions that `If-Match` names; undefined if it is missing or `*`, which every existing content matches. The
 * comparison is strong (RFC 9110, 13.1.1), so weak tags name none. The language and the links of a tag do not matter: a
 * change of the content does not depend on them.
 */
export function readIfMatch(value: string | undefined): ReadonlySet<string> | undefined {
  if (value === undefined || value.trim() === '*') return undefined
  const strong = [...value.matchAll(TAGS)].flatMap(([, weak, tag = '']) => (weak ? [] : [tag]))
  return new Set(strong.flatMap((tag) => VERSIONED.exec(tag)?.[1] ?? []))
}
