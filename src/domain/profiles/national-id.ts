import type { components } from '../../../generated/types.ts'
import type { FieldFailures } from '../failure.ts'
import type { IdentityType, Lawyer } from './profile.ts'

export type NationalIdCheck = NonNullable<components['schemas']['UserDetails']['national_id_check']>
export type Identity = Pick<Lawyer, 'nationalId' | 'identityType'>

const FORMS: Readonly<Record<IdentityType, (number: string) => boolean>> = {
  1: (number) => /^1[0-9]{9}$/.test(number) && hasCheckDigit(number), // national ID
  2: (number) => /^(?=.*[0-9])[0-9A-Za-z]{6,9}$/.test(number), // passport
  3: (number) => /^2[0-9]{9}$/.test(number) && hasCheckDigit(number), // resident ID
}

/**
 * Returns whether a number has the form of its identity document, including the check digit; null without a number. A
 * plausible number has not necessarily been issued.
 */
export function nationalIdCheck(identity: Identity | null | undefined): NationalIdCheck | null {
  const { nationalId = null, identityType = null } = identity ?? {}
  if (nationalId === null || identityType === null) return null
  return FORMS[identityType](nationalId) ? 'plausible' : 'implausible'
}

/** Rejects an implausible number, unless it is already stored with the same identity type. */
export function nationalIdFailures(given: Identity, stored: Identity | null | undefined): FieldFailures {
  const isStored = given.nationalId === stored?.nationalId && given.identityType === stored.identityType
  const isRejected = !isStored && nationalIdCheck(given) === 'implausible'
  return isRejected ? { national_id: ['national_id_implausible'] } : {}
}

/** Checks the Luhn sum (ISO/IEC 7812-1, annex B) of 10 digits: those at odd positions from the left are doubled. */
function hasCheckDigit(number: string): boolean {
  const sum = [...number].map(Number).reduce((total, digit, at) => total + (at % 2 === 0 ? doubled(digit) : digit), 0)
  return sum % 10 === 0
}

/** Returns the sum of the digits of twice the digit. */
function doubled(digit: number): number {
  return digit < 5 ? digit * 2 : digit * 2 - 9
}
