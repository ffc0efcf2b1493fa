import { LIMITS } from '../../../generated/limits.ts'

/** The second factors that an account can use, as the header `Mfa-Methods` lists them */
export type FactorMethod = 'totp' | 'recovery_code'

/** The second factors of an account that has at least one */
export type SecondFactors = Readonly<{
  /** The encrypted secret of the authenticator app, and the time step of its last accepted code; null without an app */
  totp: Readonly<{ sealed: Uint8Array<ArrayBuffer>; lastStep: number }> | null
  /** SHA-256 hashes of the unused recovery codes */
  recoveryCodes: readonly Uint8Array<ArrayBuffer>[]
}>

/** What an owner sees of the second factors of the account */
export type ListedFactors = Readonly<{
  totpConfirmedAt: Date | null
  recoveryCodesLeft: number
  /** When a pending reset ends them; null if none is pending */
  resetAt: Date | null
}>

/** A right code, which the session that it proves has to use up */
export type UnusedCode = Readonly<
  | { method: 'totp'; sealed: Uint8Array<ArrayBuffer>; step: number }
  | { method: 'recovery_code'; hash: Uint8Array<ArrayBuffer> }
>

/** What a request proves of the second factors of its account */
export type FactorProof = UnusedCode | 'not_required' | 'missing' | 'wrong'

const { totp_digits, recovery_characters } = LIMITS.factors
const TOTP = new RegExp(`^\\d{${totp_digits}}$`)
const RECOVERY_CODE = new RegExp(`^[A-Z2-7]{${recovery_characters}}$`)

/**
 * Parses a code as people type it, with ASCII digits: case, spaces and hyphens are ignored. Undefined if no method has such
 * codes.
 */
export function parseFactorCode(text: string): { method: FactorMethod; code: string } | undefined {
  const code = text.toUpperCase().replaceAll(/[ -]/g, '')
  if (TOTP.test(code)) return { method: 'totp', code }
  return RECOVERY_CODE.test(code) ? { method: 'recovery_code', code } : undefined
}

/** Returns a recovery code in groups of four characters, which are easier to copy. */
export function formatRecoveryCode(code: string): string {
  return code.match(/.{4}/g)?.join('-') ?? code
}

/** Returns the methods by which an account can prove a second factor, the one to offer first in front. */
export function listMethods({ totp, recoveryCodes }: SecondFactors): FactorMethod[] {
  return [...(totp ? (['totp'] as const) : []), ...(recoveryCodes.length > 0 ? (['recovery_code'] as const) : [])]
}
