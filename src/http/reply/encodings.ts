// Responses with several representations, which differ in their content encoding (RFC 9110, 8.4). Only public responses
// have compressed ones: the size of a compressed personal response could reveal parts of it (BREACH).
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { computeEtag, isKnown } from './etag.ts'

/** The smallest is first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** The entity tag of each encoding that exists */
export type EncodingTags = Readonly<Partial<Record<Encoding, string>>>

export function encodingTags(content: Buffer, encodings: readonly Encoding[]): EncodingTags {
  const tag = computeEtag(content)
  return Object.fromEntries(
    encodings.map((encoding) => [encoding, encoding === 'identity' ? tag : `${tag.slice(0, -1)}-${encoding}"`]),
  )
}

/** The representations of a response */
export type Representations = { contents: Partial<Record<Encoding, Buffer>>; tags: EncodingTags }

/** @param quality that of brotli; higher ones take much longer for few bytes less */
export async function compressed(identity: Buffer, quality: number): Promise<Representations> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity, { params }), promisify(gzip)(identity)])
  return { contents: { br, gzip: gz, identity }, tags: encodingTags(identity, ['br', 'gzip', 'identity']) }
}

const REMEMBERED_MAX = 500
/** The encodings of our list that a value of Accept-Encoding accepts. Clients send few different ones. */
const remembered = new Map<string, readonly Encoding[]>()

function acceptedIn(header: string): readonly Encoding[] {
  const known = remembered.get(header)
  if (known) return known
  const named = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...ENCODINGS])
  const accepted = ENCODINGS.filter((each) => named.includes(each))
  if (remembered.size < REMEMBERED_MAX && header.length < 100) remembered.set(header, accepted)
  return accepted
}

/** Returns the smallest of the encodings that the client accepts. Without another one, it gets the content as it is. */
function chooseEncoding({ headers }: FastifyRequest, tags: EncodingTags): Encoding {
  const header = headers['accept-encoding']
  if (header === undefined) return 'identity' // any encoding is allowed, but few such clients can decode one
  return acceptedIn(header).find((each) => tags[each] !== undefined) ?? 'identity'
}

/**
 * Sets the headers of a response that has several encodings, and decides whether the client has one of them already.
 *
 * @returns the encoding to send; undefined if the response is 304
 */
export function negotiate(request: FastifyRequest, response: FastifyReply, tags: EncodingTags): Encoding | undefined {
  const encoding = chooseEncoding(request, tags)
  const vary = response.getHeader('vary')
  response.header('vary', vary ? `${String(vary)}, Accept-Encoding` : 'Accept-Encoding')
  const knows = (each: Encoding): boolean => tags[each] !== undefined && isKnown(request, tags[each])
  const known = knows(encoding) ? encoding : ENCODINGS.find(knows)
  response.header('etag', tags[known ?? encoding])
  if (known) return undefined
  if (encoding !== 'identity') response.header('content-encoding', encoding)
  return encoding
}
