import type { Channel } from './sms.ts'

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
const NEVER: ReadonlySet<NumberType> = new Set([
  'PAGER',
  'PERSONAL_NUMBER',
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'VOICEMAIL',
])
/** Numbers that can be called but, as a rule, receive no messages */
const CALLS_ONLY: ReadonlySet<NumberType> = new Set(['FIXED_LINE', 'VOIP'])

/** Returns whether a code may be sent to numbers of a type. In some countries, mobile numbers cannot be told apart. */
export function canReceiveCode(type: NumberType | undefined, channel: Channel = 'sms'): boolean {
  if (type === undefined) return true
  return !NEVER.has(type) && (channel === 'voice' || !CALLS_ONLY.has(type))
}
