import type { Catalogue, PhoneKey } from '../catalogue.ts'

/** Messages about invalid phone numbers */
export const phones: Pick<Catalogue, PhoneKey> = {
  phone_invalid: 'This is not a valid phone number.',
  phone_not_mobile: 'This must be a mobile number.',
  phone_type_not_allowed: 'Verification codes cannot be sent to numbers of this type.',
  phone_code_unknown: 'This country code is unknown.',
  phone_code_mismatch: 'The phone number has another country code.',
  country_not_served: 'Messages cannot be sent to this country.',
  channel_not_offered: 'Codes cannot be sent to this country by this channel.',
  phone_taken: 'This phone number is already registered.',
}
