import { CHANNELS, type Channel } from './sms.ts'

/** A possible phone number. `e164` is stored, unique, and the key of all limits. */
export type Phone = Readonly<{ e164: string; callingCode: string }>

/** Returns the national number, without a leading zero. */
export function nationalNumber({ e164, callingCode }: Phone): string {
  return e164.slice(1 + callingCode.length)
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

/**
 * The channels of codes for each type of number that libphonenumber knows. There are none where no user receives codes, or
 * where the holder of the number gets a share of the price of a message or a call.
 */
const CODE_CHANNELS = {
  MOBILE: CHANNELS,
  FIXED_LINE_OR_MOBILE: CHANNELS, // in some countries, mobile numbers cannot be told apart
  FIXED_LINE: ['voice'], // can be called but, as a rule, receives no messages
  VOIP: ['voice'],
  PAGER: [],
  PERSONAL_NUMBER: [],
  PREMIUM_RATE: [],
  SHARED_COST: [],
  TOLL_FREE: [],
  UAN: [],
  VOICEMAIL: [],
} as const satisfies Record<string, readonly Channel[]>

export type NumberType = keyof typeof CODE_CHANNELS

/** Returns whether a code may be sent to numbers of a type. A number whose type is unknown can receive codes. */
export function canReceiveCode(type: NumberType | undefined, channel: Channel = 'sms'): boolean {
  const channels: readonly Channel[] = type === undefined ? CHANNELS : CODE_CHANNELS[type]
  return channels.includes(channel)
}
