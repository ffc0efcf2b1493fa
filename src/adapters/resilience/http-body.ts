import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

const RESPONSE_BYTES_MAX = 64 * 1024

/** Creates a body that records whether any of it was written. Before that, the provider has received nothing. */
export function createTrackedBody(text: string): { body: Readable; headers: object; hasStarted: () => boolean } {
  const bytes = Buffer.from(text)
  let hasStarted = false
  function* body(): Iterable<Buffer> {
    hasStarted = true
    yield bytes
  }
  return {
    body: Readable.from(body()),
    headers: { 'content-length': String(bytes.length) },
    hasStarted: () => hasStarted,
  }
}

/** Discards the body, so that the connection can be used again. */
export function dump({ body }: Dispatcher.ResponseData, signal: AbortSignal): void {
  void body.dump({ limit: RESPONSE_BYTES_MAX, signal }).catch(() => undefined)
}

/**
 * Reads the body; undefined if it is no JSON, or too large. A broken response matters only if the status does not already say
 * that the message was rejected.
 */
export async function readJson({ statusCode, body }: Dispatcher.ResponseData): Promise<unknown> {
  try {
    return JSON.parse((await readText(body, RESPONSE_BYTES_MAX)) ?? '') as unknown
  } catch (error) {
    if (statusCode < 300 && !(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** Reads a text; undefined if it is too large. The signal of the request also ends a response that arrives too slowly. */
export async function readText(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > bytesMax) return undefined // leaving the loop closes the connection
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
