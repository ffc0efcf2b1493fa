import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max'
import { invalidData } from '../../domain/failure.ts'
import type { NumberType, Phone } from '../../domain/phones/phone.ts'

export type PhoneNumbers = {
  /**
   * Returns the calling code of a `phone_code`, which may have `+` or `00`.
   *
   * @throws Failure 422 on `phone_code`
   */
  readCallingCode(phoneCode: string): string
  /**
   * Parses `phone_code` and `phone`, which are cleaned, with `+`, `00` and a trunk 0.
   *
   * @throws Failure 422 on the invalid field
   */
  read(phoneCode: string, phone: string): Phone
}

/** Saudi numbers must be mobile, because one-time codes are sent to them by SMS. */
const SAUDI_CODE = '966'

const callingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))

/**
 * Parses numbers by the numbering plans of libphonenumber and by further ranges.
 *
 * @param isAdded whether a number in E.164 is in a further range
 * @param reject receives each number that neither of them has, in E.164
 */
export function phoneNumbers(isAdded = inRanges([]), reject?: (e164: string) => void): PhoneNumbers {
  return {
    readCallingCode,
    read(phoneCode, phone) {
      const callingCode = readCallingCode(phoneCode)
      const number = parse(callingCode, phone)
      const isMobile = number && isAdded(number.number)
      if (!number || !(isMobile || number.isValid())) {
        if (number) reject?.(number.number)
        throw invalidData({ phone: ['phone_invalid'] })
      }
      if (number.countryCallingCode !== callingCode) throw invalidData({ phone: ['phone_code_mismatch'] })
      if (callingCode === SAUDI_CODE && !isMobile && number.getType() !== 'MOBILE') {
        throw invalidData({ phone: ['phone_not_mobile'] })
      }
      return { e164: number.number, callingCode }
    },
  }
}

function readCallingCode(phoneCode: string): string {
  const callingCode = phoneCode.replace(/^(\+|00)/, '')
  if (callingCodes.has(callingCode)) return callingCode
  throw invalidData({ phone_code: ['phone_code_unknown'] })
}

/** Returns whether a number in E.164 is in a range that libphonenumber does not know, such as `+96652xxxxxxx`. */
export function inRanges(ranges: readonly string[]): (e164: string) => boolean {
  const patterns = ranges.map((range) => new RegExp(`^\\${range.replaceAll('x', '\\d')}$`))
  return (e164) => patterns.some((pattern) => pattern.test(e164))
}

/** Returns the type of a number in E.164, for example a landline; undefined if its numbering plan does not tell. */
export function numberTypeOf(e164: string): NumberType | undefined {
  return parsePhoneNumberFromString(e164)?.getType()
}

/** Returns the calling code of a number in E.164. No calling code is the beginning of another one. */
export function callingCodeOf(e164: string): string {
  return [2, 3, 4].map((end) => e164.slice(1, end)).find((code) => callingCodes.has(code)) ?? 'unknown'
}

function parse(callingCode: string, digits: string): PhoneNumber | undefined {
  const international = digits.replace(/^00/, '+')
  if (international.startsWith('+')) return parsePhoneNumberFromString(international)
  const national = parsePhoneNumberFromString(digits, { defaultCallingCode: callingCode })
  if (national?.isValid() || !digits.startsWith(callingCode)) return national
  return parsePhoneNumberFromString(`+${digits}`)
}
