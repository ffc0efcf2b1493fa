import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../../messages/index.ts'
import { serialize } from './envelope.ts'
import { compressed, encodingTags, negotiate, type Representations } from './encodings.ts'

type Send = (
  request: FastifyRequest,
  response: FastifyReply,
  content: { data: unknown; toBody: () => unknown },
) => Promise<FastifyReply>

type Page = Representations & {
  identity: Buffer
  /** Set when the page is sent for the second time, so that search results, which are sent once, are not compressed */
  compression?: Promise<void>
  isCompressed?: boolean
}

/** Smaller responses fit into one packet anyway. */
const COMPRESSED_BYTES_MIN = 1024
const BROTLI_QUALITY = 6

/**
 * Sends responses that may be cached: with an `ETag`, and without a body if the client has it already (RFC 9110, 13.1.2).
 * When an operation returns the same object again, its page is reused, compressed if the client accepts that.
 */
export function cacheable(cacheControl: string): Send {
  const pages: Record<Language, WeakMap<object, Page>> = { ar: new WeakMap(), en: new WeakMap() }

  return async (request, response, { data, toBody }) => {
    const known = pages[request.language]
    const key = data as object // cacheable data is never null
    const page = known.get(key) ?? newPage(Buffer.from(serialize(response, toBody())))
    if (!known.has(key)) known.set(key, page)
    else if (!page.isCompressed) await (page.compression ??= compress(page))

    response.header('cache-control', cacheControl).type('application/json; charset=utf-8')
    const encoding = negotiate(request, response, page.tags)
    return encoding === undefined ? response.code(304).send() : response.send(page.contents[encoding])
  }
}

function newPage(identity: Buffer): Page {
  return { identity, contents: { identity }, tags: encodingTags(identity, ['identity']) }
}

/** Adds the compressed representations to a page. */
async function compress(page: Page): Promise<void> {
  if (page.identity.length >= COMPRESSED_BYTES_MIN) Object.assign(page, await compressed(page.identity, BROTLI_QUALITY))
  page.isCompressed = true
}
