import type { Context } from '../../context.ts'
import type { Enrollment } from '../../domain/factors/required-factor.ts'
import { parseTypedCode } from '../../domain/factors/second-factor.ts'
import { asciiDigits } from '../../domain/phones/phone.ts'

/** Returns what a request gives to add a second factor, with the enrollment code as people type it. */
export function toEnrollment(
  text: string | undefined,
  { administratorsNeedFactor, enrollmentCodes }: Context,
): Enrollment {
  const codeHash = text === undefined ? undefined : enrollmentCodes.hash(parseTypedCode(asciiDigits(text)))
  return { administratorsNeedCode: administratorsNeedFactor, codeHash }
}
