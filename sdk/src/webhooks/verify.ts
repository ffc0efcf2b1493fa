import { WebhookError } from './error.ts'
import { parseEvent, type WebhookEvent } from './event.ts'

/** The headers of a request, as `Headers` or as an object like that of Node.js */
type HeadersOf = { get(name: string): string | null } | Readonly<Record<string, string | string[] | undefined>>

export type WebhookRequest = {
  /** The raw body, as it was received: a body that was parsed and written again has another signature */
  body: string | Uint8Array<ArrayBuffer>
  headers: HeadersOf
}

export type WebhookOptions = {
  /** The secret, or several during a rotation. Each begins with `whsec_` */
  secrets: string | readonly string[]
  /** How old a request may be, in seconds, and how far in the future. Default: 300 */
  tolerance?: number
}

const PREFIX = 'whsec_'
const VERSION = 'v1,'
const TOLERANCE_SECONDS = 300
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Verifies the signature of a webhook and returns its event.
 *
 * @throws WebhookError if the request must be rejected
 */
export async function verifyWebhook(
  { body, headers }: WebhookRequest,
  { secrets, tolerance = TOLERANCE_SECONDS }: WebhookOptions,
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => read(headers, `webhook-${name}`))
  if (!id || !timestamp || !signatures) throw new WebhookError('headers_missing')
  const ageSeconds = Date.now() / 1000 - Number(timestamp)
  if (!(Math.abs(ageSeconds) <= tolerance)) throw new WebhookError('timestamp_not_recent')

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const keys = await Promise.all([secrets].flat().map(toKey))
  const given = signatures.split(' ').flatMap(toSignature)
  if (!(await isSignedBy(keys, given, signed))) throw new WebhookError('signature_wrong')
  return parseEvent(id, text)
}

/** Returns whether one of the signatures is that of one of the keys. Web Crypto compares in constant time. */
async function isSignedBy(keys: CryptoKey[], given: Bytes[], signed: Bytes): Promise<boolean> {
  const pairs = keys.flatMap((key) => given.map((signature) => crypto.subtle.verify(HMAC, key, signature, signed)))
  return (await Promise.all(pairs)).includes(true)
}

type Bytes = Uint8Array<ArrayBuffer>

function toKey(secret: string): Promise<CryptoKey> {
  const key = decode(secret.trim().slice(PREFIX.length))
  if (!secret.trim().startsWith(PREFIX) || !key?.length) throw new TypeError(`A secret is ${PREFIX} and base64`)
  return crypto.subtle.importKey('raw', key, HMAC, false, ['verify'])
}

function toSignature(entry: string): Bytes[] {
  const signature = entry.startsWith(VERSION) ? decode(entry.slice(VERSION.length)) : undefined
  return signature ? [signature] : []
}

/** Returns the bytes of a text in base64; undefined if it is none. */
function decode(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function read(headers: HeadersOf, name: string): string | undefined {
  const value = isHeaders(headers) ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : undefined
}

function isHeaders(headers: HeadersOf): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}
