import { Failure } from '../failure.ts'

/**
 * Whether an account has a second factor. If it does, the factor has proven all its sessions. Of an administrator, only factors count
 * that were added since the grant, or that were there when one was added with an enrollment code.
 */
export type FactorState = Readonly<{ hasFactor: boolean }>

/** The enrollment code in a request that adds a second factor */
export type Enrollment = Readonly<{
  /** Whether the first factor of an administrator requires a code */
  administratorsNeedCode: boolean
  /** The hash of the given code */
  codeHash: Uint8Array | undefined
}>

/** @throws Failure 403 `mfa_enrollment_required` for an account without a second factor where one is required */
export function requireFactor(isRequired: boolean, { hasFactor }: FactorState): void {
  if (isRequired && !hasFactor) throw new Failure('mfa_enrollment_required')
}
