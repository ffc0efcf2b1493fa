import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../../messages/index.ts'
import { serialize } from './envelope.ts'
import { compressed, encodingTags, negotiate, type Representations } from './encodings.ts'

type Content = { data: unknown; toBody: () => unknown }

/** Sets the headers of a response, and returns its body; undefined if the response is sent, without a body. */
type Respond = (request: FastifyRequest, response: FastifyReply, content: Content) => Body | Promise<Body>
type Body = Buffer | undefined

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
 * Responds with what may be cached: with an `ETag`, and without a body if the client has it already (RFC 9110, 13.1.2).
 * When an operation returns the same object again, its page is reused, compressed if the client accepts that.
 */
export function cacheable(cacheControl: string): Respond {
  const pages: Record<Language, WeakMap<object, Page>> = { ar: new WeakMap(), en: new WeakMap() }

  const respond = (request: FastifyRequest, response: FastifyReply, page: Page): Body => {
    response.header('cache-control', cacheControl)
    const encoding = negotiate(request, response, page.tags)
    if (encoding === undefined) return void response.code(304).send()
    response.type('application/json; charset=utf-8')
    return page.contents[encoding]
  }
  return (request, response, { data, toBody }) => {
    const known = pages[request.language]
    const key = data as object // cacheable data is never null
    const page = known.get(key)
    if (page && !page.isCompressed)
      return (page.compression ??= compress(page)).then(() => respond(request, response, page))
    const sent = page ?? newPage(Buffer.from(serialize(response, toBody())))
    if (!page) known.set(key, sent)
    return respond(request, response, sent)
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
