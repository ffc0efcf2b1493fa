import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '../../generated/limits.ts'

/** One-time passwords. They are derived when needed, so that nothing readable is stored. */
export type Codes = {
  newWindowId(): string
  codeFor(window: { windowId: string; phone: string }): string
  /** Whether `code` is the code of the window, in constant time. */
  isRight(window: { windowId: string; phone: string }, code: string): boolean
}

/**
 * Codes of HMAC-SHA-256 over the window and the number (RFC 4226 does the same over a counter).
 *
 * @param fixedCodes the codes of test numbers, by E.164 number
 */
export function hmacCodes(key: Uint8Array, fixedCodes: ReadonlyMap<string, string>): Codes {
  const codeFor: Codes['codeFor'] = ({ windowId, phone }) => {
    const fixed = fixedCodes.get(phone)
    if (fixed !== undefined) return fixed
    const digest = createHmac('sha256', key).update(`${windowId}:${phone}`).digest()
    const number = digest.readBigUInt64BE() % 10n ** BigInt(LIMITS.otp.digits) // the bias is under 10^-12
    return number.toString().padStart(LIMITS.otp.digits, '0')
  }
  return {
    newWindowId: () => randomUUID(),
    codeFor,
    isRight(window, code) {
      const expected = Buffer.from(codeFor(window))
      const given = Buffer.from(code)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
