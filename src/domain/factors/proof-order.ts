// The order of proofs of the second factors. From strong to weak: an established factor, the password, a younger factor. Nothing
// younger or weaker adds, removes or renews anything beside what is older or stronger.
import { LIMITS } from '../../../generated/limits.ts'
import { Failure, invalidData } from '../failure.ts'
import type { Begun } from './passkey.ts'
import { sortMethods, type FactorMethod, type UnusedProof } from './second-factor.ts'

/** From when on each second factor of an account is established. Null without the factor, and without unused recovery codes. */
export type DatedFactors = Readonly<{
  totp: Date | null
  recoveryCodes: Date | null
  passkeys: readonly Readonly<{ id: string; establishedAt: Date | null }>[]
  now: Date
}>

/** The kind of a proof in a request, and which passkey it is; no id before the passkey is verified */
export type ProofKind = Readonly<
  { method: 'password' } | { method: 'totp' | 'recovery_code' } | { method: 'passkey'; passkeyId?: string }
>

/** A right proof in a request, which the change that it proves has to use up */
export type ChangeProof = UnusedProof | Readonly<{ method: 'password'; passwordHash: string }>

/** Whether a proof is the strongest kind that the account has. */
export function isStrongest(proof: ProofKind, factors: DatedFactors): boolean {
  const methods = listEstablished(factors)
  if (methods.length === 0) return proof.method === 'password'
  if (proof.method !== 'passkey' || proof.passkeyId === undefined)
    return methods.some((method) => method === proof.method)
  const passkey = factors.passkeys.find(({ id }) => id === proof.passkeyId)
  return isEstablished(passkey?.establishedAt, factors)
}

/** The identifiers of an account, all of which confirm a reset of its factors */
export type ResetProofs = Readonly<{ byEmail: boolean; byPhone: boolean }>

/** Returns the hours until a reset takes effect that its owner has confirmed: fewer with two identifiers. */
export function resetHours({ byEmail, byPhone }: ResetProofs): number {
  return byEmail && byPhone ? LIMITS.factors.reset_hours : LIMITS.factors.reset_alone_days * 24
}

/** A pending reset of the factors of an account */
type PendingReset = Readonly<{
  /** Whether an administrator has requested it */
  isBySupport: boolean
  /** When the owner cancelled an earlier one; null if none was */
  keptAt: Date | null
}>

/**
 * Whether a login with a factor cancels a reset that the owner has confirmed. An established factor does, once: otherwise, a thief of
 * one could lock out the owner of both identifiers.
 */
export function cancelsReset(
  proof: UnusedProof,
  { isBySupport, keptAt }: PendingReset,
  factors: DatedFactors,
): boolean {
  return !isBySupport && keptAt === null && isStrongest(proof, factors)
}

/**
 * Returns the failure of a request without the strongest kind of proof that its account has: 403 `mfa_required`, or 422 `required` on
 * `password` for an account without an established factor.
 */
export function missingProof(factors: DatedFactors): Failure {
  const factorMethods = listEstablished(factors)
  return factorMethods.length === 0
    ? invalidData({ password: ['required'] })
    : new Failure('mfa_required', { factorMethods })
}

/** Whether what has proven the first request still is the strongest kind when the second one adds the factor. */
export function isStillStrongest({ byFactor }: Begun, factors: DatedFactors): boolean {
  return byFactor || listEstablished(factors).length === 0
}

/** Returns the methods of the established factors, the one to offer first in front. */
function listEstablished(factors: DatedFactors): FactorMethod[] {
  const { totp, recoveryCodes, passkeys } = factors
  return sortMethods({
    passkey: passkeys.some(({ establishedAt }) => isEstablished(establishedAt, factors)),
    totp: isEstablished(totp, factors),
    recovery_code: isEstablished(recoveryCodes, factors),
  })
}

function isEstablished(from: Date | null | undefined, { now }: DatedFactors): boolean {
  return from !== null && from !== undefined && from <= now
}
