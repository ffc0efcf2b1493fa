import type { Context } from '../context.ts'
import { Failure, type FieldFailures } from '../domain/failure.ts'
import type { Phone } from '../domain/phones/phone.ts'
import { bodyContent, listFields } from './forms/form-schema.ts'

/** The phone number of a form, or what is wrong with it or with its calling code; neither if the form lacks one of them. */
export type ReadPhone = Readonly<{ phone?: Phone; failures: FieldFailures }>

/** Returns whether the bodies of a route have a phone number. */
export function hasPhone(route: unknown): boolean {
  return Object.values(bodyContent(route)).some(({ schema }) => schema && listFields(schema).has('phone_code'))
}

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
