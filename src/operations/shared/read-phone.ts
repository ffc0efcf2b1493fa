import type { Context } from '../../context.ts'
import { Failure, type FieldFailures } from '../../domain/failure.ts'
import type { Phone } from '../../domain/phone.ts'

/** The number of a form, or what is wrong with it; neither where it is not there whole. */
export function readPhone(
  { phone_code: code, phone }: { phone?: string; phone_code?: string },
  { phoneNumbers }: Pick<Context, 'phoneNumbers'>,
): { phone?: Phone; failures: FieldFailures } {
  if (code === undefined || phone === undefined) return { failures: {} }
  try {
    return { phone: phoneNumbers.read(code, phone), failures: {} }
  } catch (error) {
    if (error instanceof Failure && error.fields) return { failures: error.fields }
    throw error
  }
}
