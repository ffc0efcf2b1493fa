import type { components } from '../../generated/types.ts'
import type { FieldFailures } from './failure.ts'
import type { IdentityType, Lawyer } from './profile.ts'

export type NationalIdCheck = NonNullable<components['schemas']['UserDetailsData']['national_id_check']>
export type Identity = Pick<Lawyer, 'nationalId' | 'identityType'>

const FORMS: Readonly<Record<IdentityType, (number: string) => boolean>> = {
  1: (number) => /^1[0-9]{9}$/.test(number) && hasCheckDigit(number), // national ID
  2: (number) => /^(?=.*[0-9])[0-9A-Za-z]{6,9}$/.test(number), // passport
  3: (number) => /^2[0-9]{9}$/.test(number) && hasCheckDigit(number), // resident ID
}

/**
 * Whether a number has the form of its kind of identity document, the check digit included. Only the form is known here:
 * a plausible number need not have been issued.
 *
 * @returns null where there is no number yet
 */
export function nationalIdCheck(identity: Identity | null | undefined): NationalIdCheck | null {
  const { nationalId = null, identityType = null } = identity ?? {}
  if (nationalId === null || identityType === null) return null
  return FORMS[identityType](nationalId) ? 'plausible' : 'implausible'
}

/** Refuses an implausible number, unless it is the stored one of the same identity type. */
export function nationalIdFailures(given: Identity, stored: Identity | null | undefined): FieldFailures {
  const isStored = given.nationalId === stored?.nationalId && given.identityType === stored.identityType
  const isRefused = !isStored && nationalIdCheck(given) === 'implausible'
  return isRefused ? { national_id: ['national_id_implausible'] } : {}
}

/** The Luhn algorithm (ISO/IEC 7812-1, annex B) over 10 digits: those at odd positions from the left are doubled. */
function hasCheckDigit(number: string): boolean {
  const sum = [...number].map(Number).reduce((total, digit, at) => total + (at % 2 === 0 ? doubled(digit) : digit), 0)
  return sum % 10 === 0
}

/** The sum of the digits of twice the digit */
function doubled(digit: number): number {
  return digit < 5 ? digit * 2 : digit * 2 - 9
}
