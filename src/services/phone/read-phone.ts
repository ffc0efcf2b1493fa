import type { Context } from '../../context.ts'
import type { ReadPhone } from '../../contract/phone-fields.ts'
import { invalidData } from '../../domain/failure.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import type { Channel } from '../../domain/phones/sms.ts'

/**
 * Returns the phone number of a form that requires one.
 *
 * @throws Failure 422 on `phone` or `phone_code`
 */
export function requirePhone({ phone, failures }: ReadPhone): Phone {
  if (phone) return phone
  throw invalidData(Object.keys(failures).length > 0 ? failures : { phone: ['required'] })
}

type PhoneForm = Readonly<{ phone_code: string; phone: string; channel?: Channel }>

/** A number that codes can be sent to, the requested channel, and all channels that a code for it may use */
export type Destination = Readonly<{ phone: Phone; channel: Channel; offered: readonly Channel[] }>

/**
 * Returns where the code of a form is to be sent. This depends only on the form and the configuration.
 *
 * @throws Failure 422 on `phone`, `phone_code` or `channel`
 */
export function requireDestination(
  { phone_code: code, phone: text, channel = 'sms' }: PhoneForm,
  { phoneNumbers, smsCountries, offeredChannels }: Context,
): Destination {
  const phone = phoneNumbers.read(code, text)
  if (smsCountries?.has(phone.callingCode) === false) throw invalidData({ phone_code: ['country_not_served'] })
  const offered = offeredChannels(phone.callingCode)
  if (!offered.includes(channel)) throw invalidData({ channel: ['channel_not_offered'] })
  return { phone, channel, offered }
}

/**
 * Returns where the code for a new owner is to be sent, with the channels that the type of the number allows. Codes for
 * existing accounts are sent to numbers of all types: their numbers are known.
 *
 * @throws Failure 422 on `phone`, `phone_code` or `channel`
 */
export function requireReachable(form: PhoneForm, context: Context): Destination {
  const destination = requireDestination(form, context)
  const { phone, channel } = destination
  if (!context.acceptsNumberType(phone, channel, true)) throw invalidData({ phone: ['phone_type_not_allowed'] })
  return {
    ...destination,
    offered: destination.offered.filter((each) => context.acceptsNumberType(phone, each, false)),
  }
}
