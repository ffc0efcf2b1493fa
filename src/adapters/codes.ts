import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '../../generated/limits.ts'
import type { CodePurpose } from '../domain/code-purposes.ts'
import type { Secrets } from './keys.ts'

/** One-time passwords. They are derived when needed, so that nothing readable is stored. */
export type Codes = {
  newWindowId(): string
  codeFor(window: Window): string
  /** Whether `code` is the code of the window, in constant time. */
  isRight(window: Window, code: string): boolean
}

type Window = { windowId: string; phone: string; purpose: CodePurpose }

const LABEL = 'tawthiq code windows, version 1'
const MARK_LENGTH = 8

/**
 * Codes of HMAC-SHA-256 over the window, the number and the purpose (RFC 4226 does the same over a counter). The id of a window begins
 * with a mark of the key that makes its code, so that a rotation changes no code that was sent, and a window has one code
 * however many keys there are.
 *
 * @param fixedCodes the codes of test numbers, by E.164 number
 */
export function hmacCodes(secrets: Secrets, fixedCodes: ReadonlyMap<string, string>): Codes {
  const byMark = new Map([...secrets].reverse().map((secret) => [markOf(secret), secret]))
  /** All where none is marked: windows of earlier versions had no marks, and may be open during an upgrade. */
  const secretsOf = ({ windowId }: Window): Secrets => {
    const marked = byMark.get(windowId.slice(0, MARK_LENGTH))
    return marked ? [marked] : secrets
  }
  const codesFor = (window: Window): string[] => {
    const fixed = fixedCodes.get(window.phone)
    return fixed === undefined ? secretsOf(window).map((secret) => derived(secret, window)) : [fixed]
  }
  return {
    newWindowId: () => markOf(secrets[0]) + randomUUID().slice(MARK_LENGTH),
    codeFor: (window) => codesFor(window)[0] ?? '',
    isRight: (window, code) => codesFor(window).filter((expected) => isEqual(expected, code)).length > 0,
  }
}

/** Codes of registrations have no suffix, as those that were sent before there were purposes. */
function derived(secret: Uint8Array, { windowId, phone, purpose }: Window): string {
  const suffix = purpose === 'verification' ? '' : `:${purpose}`
  const digest = createHmac('sha256', secret).update(`${windowId}:${phone}${suffix}`).digest()
  const number = digest.readBigUInt64BE() % 10n ** BigInt(LIMITS.otp.digits) // the bias is under 10^-12
  return number.toString().padStart(LIMITS.otp.digits, '0')
}

function markOf(secret: Uint8Array): string {
  return createHmac('sha256', secret).update(LABEL).digest('hex').slice(0, MARK_LENGTH)
}

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
