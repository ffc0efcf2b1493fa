import { LIMITS } from '../../generated/limits.ts'
import type { Language } from '../../src/messages/index.ts'
import { fillIn } from '../generate/document/limits.ts'

/** Fills in the limits of openapi/limits.yaml, such as `{{otp.digits}}` or `{{minutes otp.confirm_minutes}}`. */
export function fillInNumbers(text: string, language: Language): string {
  return fillIn(`${text} `, LIMITS, language) as string
}
