import { Failure } from '../failure.ts'

/** Whether an account has a second factor. If it does, the factor has proven all its sessions. */
export type FactorState = Readonly<{ hasFactor: boolean }>

/**
 * Rejects an account without a second factor where one is required.
 *
 * @throws Failure 403 `mfa_enrollment_required`
 */
export function requireFactor(isRequired: boolean, { hasFactor }: FactorState): void {
  if (isRequired && !hasFactor) throw new Failure('mfa_enrollment_required')
}
