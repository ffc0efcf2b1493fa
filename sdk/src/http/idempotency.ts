import type { Input } from './request.ts'

const HEADER = 'Idempotency-Key'
const KEY_BYTES = 16

/** Returns a call with the same `Idempotency-Key` for all of its attempts, so that a retry has no second effect. */
export function withIdempotencyKey(input: Input): Input {
  const { headers, idempotencyKey = newKey() } = input.options
  return { ...input, options: { ...input.options, headers: { [HEADER]: idempotencyKey, ...headers } } }
}

/** Returns 128 random bits. `crypto.randomUUID` is missing in pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
