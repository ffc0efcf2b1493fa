import type { Context } from '../../context.ts'
import { Failure, invalidData, type FieldFailures } from '../../domain/failure.ts'
import type { Phone } from '../../domain/phones/phone.ts'

/** The phone number of a form, or what is wrong with it; neither if the form lacks the number or its calling code. */
export type ReadPhone = Readonly<{ phone?: Phone; failures: FieldFailures }>

/** Parses the phone number of a form, once for each request. */
export function readPhone(
  { phone_code: code, phone }: { phone?: string; phone_code?: string },
  { phoneNumbers }: Pick<Context, 'phoneNumbers'>,
): ReadPhone {
  if (code === undefined || phone === undefined) return { failures: {} }
  try {
    return { phone: phoneNumbers.read(code, phone), failures: {} }
  } catch (error) {
    if (error instanceof Failure && error.fields) return { failures: error.fields }
    throw error
  }
}

/**
 * Returns the phone number of a form that requires one.
 *
 * @throws Failure 422 on `phone` or `phone_code`
 */
export function requirePhone({ phone, failures }: ReadPhone): Phone {
  if (phone) return phone
  throw invalidData(Object.keys(failures).length > 0 ? failures : { phone: ['required'] })
}
