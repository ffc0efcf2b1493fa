import type { Channel } from './sms.ts'

/** A possible phone number. `e164` is stored, unique, and the key of all limits. */
export type Phone = Readonly<{ e164: string; callingCode: string }>

/** Returns the national number, without a leading zero. */
export function nationalNumber({ e164, callingCode }: Phone): string {
  return e164.slice(1 + callingCode.length)
}

/** Replaces Arabic-Indic (U+0660) and Persian (U+06F0) digits with ASCII digits. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}

/**
 * Returns the first numbers of two ranges of consecutive numbers that contain a phone number. Ranges of the second kind begin in
 * the middle of those of the first, so any two numbers that are at most `distance` apart share a range, even if a border of the
 * other kind is between them.
 *
 * @param e164 a number in E.164, whose at most 15 digits are an exact integer
 * @param distance half the size of a range
 */
export function rangesAround(e164: string, distance: number): readonly [string, string] {
  const number = Number(e164.slice(1))
  const start = number - (number % (2 * distance))
  const shifted = number - start < distance ? start - distance : start + distance
  return [String(start), String(shifted)]
}

/** The types of numbers that libphonenumber knows. */
export type NumberType =
  | 'FIXED_LINE'
  | 'FIXED_LINE_OR_MOBILE'
  | 'MOBILE'
  | 'PAGER'
  | 'PERSONAL_NUMBER'
  | 'PREMIUM_RATE'
  | 'SHARED_COST'
  | 'TOLL_FREE'
  | 'UAN'
  | 'VOICEMAIL'
  | 'VOIP'

/** Numbers at which no user receives codes, or that share the price of a message or a call with their holder */
const NEVER: ReadonlySet<NumberType | undefined> = new Set([
  'PAGER',
  'PERSONAL_NUMBER',
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'VOICEMAIL',
])
/** Numbers that can be called but, as a rule, receive no messages */
const CALLS_ONLY: ReadonlySet<NumberType | undefined> = new Set(['FIXED_LINE', 'VOIP'])

/** Returns whether a code may be sent to numbers of a type. In some countries, mobile numbers cannot be told apart. */
export function canReceiveCode(type: NumberType | undefined, channel: Channel = 'sms'): boolean {
  return !NEVER.has(type) && (channel === 'voice' || !CALLS_ONLY.has(type))
}
