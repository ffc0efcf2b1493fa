import { failuresAt, invalidData } from '../domain/failure.ts'
import { causesOf } from './error-causes.ts'

const UNIQUE_VIOLATION = '23505'

/** Returns the unique field of an account that caused a conflict; undefined if the error has another cause. */
export function takenField(error: unknown): 'email' | 'phone' | undefined {
  const index = violatedIndex(error)
  if (index.includes('accounts_email_key')) return 'email'
  return index.includes('accounts_verified_phone_key') ? 'phone' : undefined
}

/** Handles the error of a challenge that a request of another account has used meanwhile: a login challenge belongs to none. */
export function undefinedIfChallengeUsed(error: unknown): undefined {
  if (!violatedIndex(error).includes('used_challenges_pkey')) throw error
}

/** Returns a text with the name of the unique index that caused a conflict; an empty text for any other error. */
function violatedIndex(error: unknown): string {
  const [fault] = causesOf(error)
  if (!fault) return ''
  if (fault.code === UNIQUE_VIOLATION) return fault.constraint ?? ''
  const isConflict = fault.code === 'P2002' || fault.code === 'P2010' // P2010: raw query
  return isConflict ? JSON.stringify(fault.meta?.driverAdapterError ?? {}) : ''
}

/** @throws Failure 422 on the field with the conflict, or the original error if it has another cause */
export function throwIfTaken(error: unknown): never {
  const field = takenField(error)
  throw field ? invalidData(failuresAt(field, `${field}_taken`)) : error
}

/** Like `throwIfTaken`, for an e-mail address that the request identifies by a token or a code. */
export function throwIfEmailTaken(field: 'token' | 'code' | 'otp'): (error: unknown) => never {
  return (error) => {
    throw takenField(error) === 'email' ? invalidData(failuresAt(field, 'email_taken')) : error
  }
}

/** Resolves to undefined if another account has verified the number concurrently. */
export function undefinedIfPhoneTaken(error: unknown): undefined {
  if (takenField(error) !== 'phone') throw error
}
