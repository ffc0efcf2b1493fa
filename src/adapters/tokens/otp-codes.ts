import { createHmac, randomUUID } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import type { CodeUse } from '../../domain/phones/phone-verification.ts'
import type { Secrets } from '../keys/index.ts'
import { isSame } from '../keys/keyed-hash.ts'

type CodesOf<Subject> = {
  newWindowId(): string
  codeFor(subject: Subject): string
  /** Returns whether `code` is the code of the subject, in constant time. */
  isRight(subject: Subject, code: string): boolean
}

/** One-time codes. They are derived when needed, so that no readable code is stored. */
export type Codes = CodesOf<Verification>

type Verification = { windowId: string; phone: string; purpose: CodeUse }

const LABEL = 'tawthiq code windows, version 1'
const MARK_LENGTH = 8

/**
 * Derives codes with HMAC-SHA-256 over the id of the verification, the number and the purpose (RFC 4226 uses a counter instead). The id
 * of a verification starts with a mark of its key, so a key rotation does not change codes that were sent.
 *
 * @param fixedCodes the codes of test numbers, by E.164 number
 */
export function hmacCodes(secrets: Secrets, fixedCodes: ReadonlyMap<string, string>): Codes {
  const byMark = new Map([...secrets].reverse().map((secret) => [computeMark(secret), secret]))
  /** Returns all secrets for verifications of earlier versions, which have no mark and may be open in an upgrade. */
  const findSecrets = ({ windowId }: Verification): Secrets => {
    const marked = byMark.get(windowId.slice(0, MARK_LENGTH))
    return marked ? [marked] : secrets
  }
  const codesFor = (verification: Verification): string[] => {
    const fixed = fixedCodes.get(verification.phone)
    return fixed === undefined ? findSecrets(verification).map((secret) => deriveCode(secret, verification)) : [fixed]
  }
  return {
    newWindowId: () => computeMark(secrets[0]) + randomUUID().slice(MARK_LENGTH),
    codeFor: (verification) => codesFor(verification)[0] ?? '',
    isRight: (verification, code) => codesFor(verification).filter((expected) => isSame(code, expected)).length > 0,
  }
}

/** Verification codes have no suffix, like the codes of versions without purposes. */
function deriveCode(secret: Uint8Array, { windowId, phone, purpose }: Verification): string {
  const suffix = purpose === 'verification' ? '' : `:${purpose}`
  const digest = createHmac('sha256', secret).update(`${windowId}:${phone}${suffix}`).digest()
  const number = digest.readBigUInt64BE() % 10n ** BigInt(LIMITS.otp.digits) // the bias is under 10^-12
  return number.toString().padStart(LIMITS.otp.digits, '0')
}

function computeMark(secret: Uint8Array): string {
  return createHmac('sha256', secret).update(LABEL).digest('hex').slice(0, MARK_LENGTH)
}

/** A code is valid only for this account, address and window. */
type Subject = Readonly<{ accountId: number; email: string; windowId: string }>

/** One-time passwords that are sent by e-mail. */
export type EmailCodes = CodesOf<Subject>

/** Derives codes like those sent by SMS. The label differs from any phone number, so no code is valid for both. */
export function emailCodes(codes: Codes): EmailCodes {
  const toWindow = ({ accountId, email, windowId }: Subject): Verification => ({
    windowId,
    purpose: 'verification',
    phone: `e-mail of account ${accountId}: ${email}`,
  })
  return {
    newWindowId: () => codes.newWindowId(),
    codeFor: (subject) => codes.codeFor(toWindow(subject)),
    isRight: (subject, code) => codes.isRight(toWindow(subject), code),
  }
}
