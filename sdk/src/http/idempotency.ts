import type { Input } from './request.ts'

const HEADER = 'Idempotency-Key'
const KEY_BYTES = 16
const BYTE_VALUES = 256

/** Returns a call with the same `Idempotency-Key` for all of its attempts, so that a retry has no second effect. */
export function withIdempotencyKey(input: Input): Input {
  const { headers, idempotencyKey = newKey() } = input.options
  return { ...input, options: { ...input.options, headers: { [HEADER]: idempotencyKey, ...headers } } }
}

/** Returns 128 random bits. `crypto.randomUUID` is missing in pages without TLS, and all of `crypto` in React Native. */
function newKey(): string {
  const { crypto } = globalThis as Partial<typeof globalThis>
  const bytes = Uint8Array.from({ length: KEY_BYTES }, () => Math.random() * BYTE_VALUES)
  crypto?.getRandomValues(bytes)
  return bytes.join('-')
}
