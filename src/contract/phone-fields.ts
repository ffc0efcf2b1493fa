import type { Context } from '../context.ts'
import { Failure, type FieldFailures } from '../domain/failure.ts'
import type { Phone } from '../domain/phones/phone.ts'

/** The phone number of a form, or what is wrong with it; neither if the form lacks the number or its calling code. */
export type ReadPhone = Readonly<{ phone?: Phone; failures: FieldFailures }>

/** Parses the phone number of a form, or its calling code alone. No schema finds their failures. */
export function readPhone(
  { phone_code: code, phone }: Readonly<{ phone?: string; phone_code?: string }>,
  { phoneNumbers }: Pick<Context, 'phoneNumbers'>,
): ReadPhone {
  try {
    if (code !== undefined && phone !== undefined) return { phone: phoneNumbers.read(code, phone), failures: {} }
    if (code !== undefined) phoneNumbers.readCallingCode(code)
    return { failures: {} }
  } catch (error) {
    if (error instanceof Failure && error.fields) return { failures: error.fields }
    throw error
  }
}
