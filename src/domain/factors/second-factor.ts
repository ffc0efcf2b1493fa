import { LIMITS } from '../../../generated/limits.ts'
import type { ListedPasskey, PasskeyProof } from './passkey.ts'

/** The second factors that an account can use, as the header `Mfa-Methods` lists them */
export type FactorMethod = CodeMethod | 'passkey'

type CodeMethod = 'totp' | 'recovery_code'

/** In the order in which they are offered */
const FACTOR_METHODS: readonly FactorMethod[] = ['passkey', 'totp', 'recovery_code']

/** The second factors of an account that has at least one */
export type SecondFactors = Readonly<{
  /** The encrypted secret of the authenticator app, and the time step of its last accepted code; null without an app */
  totp: Readonly<{ sealed: Uint8Array<ArrayBuffer>; lastStep: number }> | null
  /** SHA-256 hashes of the unused recovery codes */
  recoveryCodes: readonly Uint8Array<ArrayBuffer>[]
  hasPasskey: boolean
}>

/** What an owner sees of the second factors of the account */
export type ListedFactors = Readonly<{
  /** Oldest first */
  passkeys: readonly ListedPasskey[]
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

/** What has proven a session, and is used up by it */
export type UnusedProof = UnusedCode | PasskeyProof

/** What a request proves of the second factors of its account */
export type FactorProof = UnusedCode | 'not_required' | 'missing' | 'wrong'

const { totp_digits, recovery_characters } = LIMITS.factors
const TOTP = new RegExp(`^\\d{${totp_digits}}$`)
const RECOVERY_CODE = new RegExp(`^[A-Z2-7]{${recovery_characters}}$`)

/** Returns the method of a code, which is cleaned; undefined if no method has such codes. */
export function parseFactorCode(code: string): { method: CodeMethod; code: string } | undefined {
  if (TOTP.test(code)) return { method: 'totp', code }
  return RECOVERY_CODE.test(code) ? { method: 'recovery_code', code } : undefined
}

/** Returns a recovery or enrollment code in groups of four characters, which are easier to copy. */
export function formatCode(code: string): string {
  return code.match(/.{4}/g)?.join('-') ?? code
}

/** Returns the methods by which an account can prove a second factor, the one to offer first in front. */
export function listMethods({ totp, recoveryCodes, hasPasskey }: SecondFactors): FactorMethod[] {
  return sortMethods({ passkey: hasPasskey, totp: totp !== null, recovery_code: recoveryCodes.length > 0 })
}

/** Returns the methods that an account has, in the order in which they are offered. */
export function sortMethods(has: Readonly<Record<FactorMethod, boolean>>): FactorMethod[] {
  return FACTOR_METHODS.filter((method) => has[method])
}
